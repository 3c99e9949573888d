// A scene for tests of the outbox: Bob's copy, a clock turned by hand, a store in memory, and a server that answers as told.
import { expect } from "bun:test";
import { calls } from "../../client/call.ts";
import type { Chat, ChatState } from "../../client/chat.ts";
import { type Copy, copyAfter } from "../../client/copy.ts";
import { Outbox } from "../../client/outbox.ts";
import type { Unsent, UnsentStore } from "../../client/unsent.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { until as untilOr } from "../house/machine/waiting.ts";
import { HandClock } from "./hand-clock.ts";
import { idOf, message, scene } from "./scene.ts";

type Answer = { status: number; body?: object } | "silence";

export const until = (isSo: () => boolean) => untilOr(isSo, "it did not come to that");

export const isEmpty = (outbox: Outbox) => until(() => outbox.unsent.length === 0);

/** Expects the first message to wait until this time, in milliseconds. */
export const expectWaiting = (outbox: Outbox, nextTryAt: number) =>
  expect(outbox.unsent).toEqual([expect.objectContaining({ state: "waiting", nextTryAt })]);

/** A server that records posts, and answers 201 unless other answers are queued. */
class Post {
  got: { channelId: string; content: string; nonce: string; reply_to: string | null }[] = [];
  next: Answer[] = [];
  #held: (() => void)[] = [];
  isHeld = false;

  async answer(request: Request): Promise<Response> {
    const body = (await request.json()) as Omit<Post["got"][number], "channelId">;
    const channelId = new URL(request.url).pathname.split("/")[4] ?? "";
    this.got.push({ ...body, channelId });
    if (this.isHeld) await new Promise<void>((resolve) => this.#held.push(resolve));
    const next = this.next.shift() ?? { status: 201 };
    if (next === "silence") return Response.error();
    const { status, body: said } = next;
    return Response.json(said ?? (status < 300 ? posted(channelId, body) : {}), { status });
  }

  release(): void {
    this.isHeld = false;
    for (const go of this.#held.splice(0)) go();
  }

  get contents(): string[] {
    return this.got.map(({ content }) => content);
  }
}

/** A message as the server answers it to this post; ids rise in the order of the first posts of their nonces. */
export function posted(channelId: string, { content, nonce }: { content: string; nonce: string }) {
  return { ...message(`posted ${nonce}`, "bob", "general"), channel_id: channelId, content, nonce };
}

/** A chat that receives the frames of the test. */
class ChatByHand {
  state: ChatState = { copy: scene(), connection: { is: "live" }, generation: 1 };
  readonly #listeners = new Set<(frame: ServerFrame) => void>();
  readonly #watchers = new Set<() => void>();

  readonly subscribe = (watcher: () => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };
  listen(listener: (frame: ServerFrame) => void) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  catchUp(): void {}
  change(after: (copy: Copy) => Copy): void {
    this.become({ copy: after(this.state.copy as Copy) });
  }
  become(change: Partial<ChatState>): void {
    this.state = { ...this.state, ...change };
    for (const watcher of this.#watchers) watcher();
  }
  hear(frame: ServerFrame): void {
    this.change((copy) => copyAfter(copy, frame));
    for (const listener of this.#listeners) listener(frame);
  }
  get texts(): string[] {
    const { messages = [] } = this.state.copy?.windows.get(idOf("general"))?.live ?? {};
    return messages.map(({ content }) => content).toReversed();
  }
}

class Memory implements UnsentStore {
  readonly kept = new Map<string, Unsent>();
  /** Tells the outbox that another tab dropped a message. */
  dropElsewhere = (_: string) => {};
  onDropped = (heard: (nonce: string) => void) => {
    this.dropElsewhere = heard;
  };
  all = async () => [...this.kept.values()];
  keep = async (unsent: Unsent) => void this.kept.set(unsent.nonce, unsent);
  drop = async (nonce: string) => void this.kept.delete(nonce);
}

/** One scene per test; `end` keeps its unsent messages from the server of the next one. */
export class OutboxScene {
  readonly post = new Post();
  readonly chat = new ChatByHand();
  readonly store = new Memory();
  readonly clock = new HandClock();
  now = 1000;
  readonly #outboxes: Outbox[] = [];
  readonly #originBefore = calls.origin;
  readonly #server = Bun.serve({ port: 0, fetch: (request) => this.post.answer(request) });

  constructor() {
    calls.origin = this.#server.url.origin;
  }

  makeOutbox = (): Outbox => {
    const given = { store: this.store, later: this.clock.later, random: () => 1, now: () => this.now };
    const outbox = new Outbox({ ...given, chat: this.chat as unknown as Chat });
    this.#outboxes.push(outbox);
    return outbox;
  };

  turn = (ms: number): void => {
    this.now += ms;
    this.clock.turn(ms);
  };

  async end(): Promise<void> {
    for (const outbox of this.#outboxes) outbox.hold();
    this.post.release();
    const isSending = ({ unsent }: Outbox) => unsent.some(({ state }) => state === "sending");
    await until(() => !this.#outboxes.some(isSending));
    calls.origin = this.#originBefore;
    await this.#server.stop(true);
  }
}

export function say(outbox: Outbox, content: string, channel = "general"): Promise<void> {
  return outbox.add({ channelId: idOf(channel), content, replyTo: null, attachments: [] });
}
