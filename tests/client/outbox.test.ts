// The outbox sends messages once and in order, keeps them until the server has them, and reports refusals.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { calls } from "../../client/call.ts";
import type { Chat, ChatState } from "../../client/chat.ts";
import { type Copy, copyAfter, withWindow } from "../../client/copy.ts";
import { Outbox } from "../../client/outbox.ts";
import type { Unsent, UnsentStore } from "../../client/unsent.ts";
import { messageCreated } from "../../features/messages/events.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { until as untilOr } from "../house/machine/waiting.ts";
import { HandClock } from "./hand-clock.ts";
import { idOf, message, scene } from "./scene.ts";

type Answer = { status: number; body?: object } | "silence";

const until = (isSo: () => boolean) => untilOr(isSo, "it did not come to that");

/** A server that records posts, and answers 201 unless other answers are queued. */
class Post {
  got: { channelId: string; content: string; nonce: string }[] = [];
  next: Answer[] = [];
  #held: (() => void)[] = [];
  isHeld = false;

  async answer(request: Request): Promise<Response> {
    const body = (await request.json()) as { content: string; nonce: string };
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

function posted(channelId: string, { content, nonce }: { content: string; nonce: string }) {
  return { ...message(`posted ${content}`, "bob", "general"), channel_id: channelId, content, nonce };
}

/** A chat that receives the frames of the test. */
class Heard {
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

describe("the outbox", () => {
  let server: ReturnType<typeof Bun.serve>;
  let post: Post;
  let chat: Heard;
  let store: Memory;
  let clock: HandClock;
  let now: number;
  let outboxes: Outbox[];
  const originBefore = calls.origin;

  beforeAll(() => {
    server = Bun.serve({ port: 0, fetch: (request) => post.answer(request) });
    calls.origin = server.url.origin;
  });
  afterAll(async () => {
    calls.origin = originBefore;
    await server.stop(true);
  });
  beforeEach(() => {
    post = new Post();
    chat = new Heard();
    store = new Memory();
    clock = new HandClock();
    now = 1000;
    outboxes = [];
  });
  /** Stops unsent messages of a test from reaching the server of the next one. */
  afterEach(async () => {
    for (const outbox of outboxes) outbox.hold();
    post.release();
    const isSending = ({ unsent }: Outbox) => unsent.some(({ state }) => state === "sending");
    await until(() => !outboxes.some(isSending));
  });

  function makeOutbox(): Outbox {
    const given = { store, later: clock.later, random: () => 1, now: () => now };
    const outbox = new Outbox({ ...given, chat: chat as unknown as Chat });
    outboxes.push(outbox);
    return outbox;
  }

  function say(outbox: Outbox, content: string, channel = "general"): Promise<void> {
    return outbox.add({ channelId: idOf(channel), content, replyTo: null, attachments: [] });
  }

  function turn(ms: number): void {
    now += ms;
    clock.turn(ms);
  }

  /** The outbox changes at once, the server a while later. */
  const expectWaiting = (outbox: Outbox, nextTryAt: number) =>
    expect(outbox.unsent).toEqual([expect.objectContaining({ state: "waiting", nextTryAt })]);

  const isEmpty = (outbox: Outbox) => until(() => outbox.unsent.length === 0);

  test("sends in the order of writing, one at a time in a channel, and channels beside each other", async () => {
    const outbox = makeOutbox();
    post.isHeld = true;
    for (const content of ["one", "two", "three"]) await say(outbox, content);
    await say(outbox, "elsewhere", "lounge");
    await until(() => post.got.length === 2);
    expect(post.contents.sort()).toEqual(["elsewhere", "one"]);
    post.release();
    await isEmpty(outbox);
    expect(post.contents.filter((each) => each !== "elsewhere")).toEqual(["one", "two", "three"]);
    expect(chat.texts.slice(-3)).toEqual(["one", "two", "three"]);
    expect(store.kept.size).toBe(0);
  });

  test("shows a message once, whether its event comes before the answer, behind it, or in its place", async () => {
    const outbox = makeOutbox();
    post.isHeld = true;
    await say(outbox, "before");
    await until(() => post.got.length === 1);
    const [got] = post.got;
    if (!got) throw new Error("it was not sent");
    const created = (content: string, nonce: string): ServerFrame => ({
      type: messageCreated.type,
      data: posted(idOf("general"), { content, nonce }),
      server_id: idOf("home"),
      ts: "2026-01-01T12:00:00.000Z",
    });
    chat.hear(created("before", got.nonce));
    expect(outbox.unsent).toEqual([]);
    post.release();
    await say(outbox, "behind");
    await isEmpty(outbox);
    chat.hear(created("behind", post.got[1]?.nonce ?? ""));
    expect(chat.texts.filter((each) => each === "before" || each === "behind")).toEqual(["before", "behind"]);
  });

  test("tries again what a network or a server could not take, always with the same nonce, before what was written later", async () => {
    const outbox = makeOutbox();
    post.next = [{ status: 503 }, { status: 500 }];
    await say(outbox, "one");
    await say(outbox, "two");
    for (const tries of [1, 2]) {
      await until(() => post.got.length === tries && outbox.unsent[0]?.nextTryAt !== undefined);
      // The first fault is retried silently; the second is reported to the writer.
      expect(outbox.unsent[0]?.faultId).toBe(tries === 1 ? undefined : "");
      turn(30_000);
    }
    await isEmpty(outbox);
    expect(post.contents).toEqual(["one", "one", "one", "two"]);
    expect(new Set(post.got.map(({ nonce }) => nonce)).size).toBe(2);
  });

  test("a clock that is set back while a message waits makes the wait no longer", async () => {
    const outbox = makeOutbox();
    post.next = [{ status: 429, body: { error: "Too fast.", code: "rate_limited", retry_after: 7 } }];
    await say(outbox, "one");
    await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
    now -= 3_600_000;
    clock.turn(7000);
    await isEmpty(outbox);
    expect(post.contents).toContain("one");
  });

  test("waits as long as it was told to by 429, also when the connection comes back meanwhile", async () => {
    const outbox = makeOutbox();
    post.next = [{ status: 429, body: { error: "Too fast.", code: "rate_limited", retry_after: 7 } }];
    await say(outbox, "one");
    await until(() => outbox.unsent[0]?.nextTryAt === 8000);
    expect(outbox.unsent[0]).toMatchObject({ state: "waiting", failure: "Too fast." });
    chat.become({ connection: { is: "connecting" } });
    chat.become({ connection: { is: "live" } });
    turn(6900);
    expectWaiting(outbox, 8000);
    turn(200);
    await isEmpty(outbox);
    expect(post.got).toHaveLength(2);
  });

  test("told to wait for an hour, it does not ask again and again, but after ten minutes", async () => {
    const outbox = makeOutbox();
    post.next = [{ status: 503, body: { error: "Back later.", code: "internal", retry_after: 3600 } }];
    await say(outbox, "one");
    await until(() => outbox.unsent[0]?.nextTryAt === 601_000);
    turn(599_000);
    expectWaiting(outbox, 601_000);
    turn(1000);
    await isEmpty(outbox);
    expect(post.got).toHaveLength(2);
  });

  test("sends at once what waits for a try when the connection is back, and not with each frame", async () => {
    const outbox = makeOutbox();
    post.next = [{ status: 503 }, { status: 503 }];
    await say(outbox, "one");
    await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
    const { nextTryAt = 0 } = outbox.unsent[0] ?? {};
    chat.become({});
    chat.become({ generation: 2 });
    expectWaiting(outbox, nextTryAt);
    chat.become({ connection: { is: "connecting" } });
    chat.become({ connection: { is: "live" } });
    await until(() => post.got.length === 2);
  });

  test("keeps what is refused with the server's sentence, lets others by, and sends it again or drops it when asked", async () => {
    const outbox = makeOutbox();
    post.next = [{ status: 403, body: { error: "You may not write here.", code: "forbidden" } }];
    await say(outbox, "one");
    await say(outbox, "two");
    await until(() => outbox.unsent.length === 1);
    const [failed] = outbox.unsent;
    expect(failed).toMatchObject({ content: "one", state: "failed", failure: "You may not write here." });
    expect([...store.kept.values()]).toEqual([expect.objectContaining({ state: "failed" })]);
    outbox.retry(failed?.nonce ?? "");
    await isEmpty(outbox);
    expect(post.contents).toEqual(["one", "two", "one"]);

    post.next = [{ status: 403, body: { error: "No.", code: "forbidden" } }];
    await say(outbox, "three");
    await until(() => outbox.unsent[0]?.state === "failed");
    outbox.discard(outbox.unsent[0]?.nonce ?? "");
    expect(outbox.unsent).toEqual([]);
    await until(() => store.kept.size === 0);
  });

  test("a message that was posted, and deleted before its writer's page knew, is not kept", async () => {
    const outbox = makeOutbox();
    const deleted = { error: "The message with this nonce was deleted.", code: "conflict" };
    post.next = [{ status: 502 }, { status: 409, body: deleted }];
    await say(outbox, "the walrus");
    await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
    expect([...store.kept.values()].map(({ content }) => content)).toEqual(["the walrus"]);
    turn(30_000);
    await isEmpty(outbox);
    await until(() => store.kept.size === 0);
    expect(post.contents).toEqual(["the walrus", "the walrus"]);
  });

  test("one that cannot be held is refused at once, so that its writer keeps it", () => {
    chat.state = { copy: undefined, connection: { is: "connecting" }, generation: 0 };
    const outbox = makeOutbox();
    expect(() => say(outbox, "one")).toThrow("nobody is signed in");
    expect(outbox.unsent).toEqual([]);
  });

  test("it is safe once it is kept; where the browser keeps nothing, once it is sent or discarded", async () => {
    const safe: string[] = [];
    const sayAndTell = (outbox: Outbox, content: string) =>
      void say(outbox, content).then(() => safe.push(content));
    const outbox = makeOutbox();
    post.isHeld = true;
    sayAndTell(outbox, "kept");
    await until(() => safe.length === 1);
    expect([outbox.isAtRisk, post.got.length]).toEqual([false, 1]);

    store.keep = () => Promise.reject(new Error("full"));
    sayAndTell(outbox, "not kept");
    sayAndTell(outbox, "not kept either");
    await until(() => outbox.isAtRisk);
    expect(safe).toEqual(["kept"]);
    outbox.discard(outbox.unsent[2]?.nonce ?? "");
    await until(() => safe.length === 2);
    expect(safe).toEqual(["kept", "not kept either"]);
    post.release();
    await isEmpty(outbox);
    await until(() => safe.length === 3);
    expect([outbox.isAtRisk, post.contents]).toEqual([false, ["kept", "not kept"]]);
  });

  test("401: the message waits for its writer to sign in again", async () => {
    const outbox = makeOutbox();
    post.next = [{ status: 401, body: { error: "Sign in.", code: "unauthenticated" } }];
    await say(outbox, "one");
    await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
    expect(store.kept.size).toBe(1);
    chat.become({ connection: { is: "connecting" } });
    chat.become({ connection: { is: "live" } });
    turn(600_000);
    expect(outbox.unsent[0]?.state).toBe("waiting");
    outbox.release();
    await isEmpty(outbox);
    expect(post.got).toHaveLength(2);
  });

  test("a reload in the middle, and a second tab with the same database: every message once, by its nonce", async () => {
    const first = makeOutbox();
    post.isHeld = true;
    for (const content of ["one", "two"]) await say(first, content);
    await until(() => post.got.length === 1);
    const [later, other] = [makeOutbox(), makeOutbox()];
    await Promise.all([later.open(), other.open()]);
    expect(later.unsent.map(({ content }) => content)).toEqual(["one", "two"]);
    post.release();
    await Promise.all([first, later, other].map(isEmpty));
    expect(store.kept.size).toBe(0);
    const nonces = new Map(post.got.map(({ content, nonce }) => [content, nonce]));
    expect(post.got.every(({ content, nonce }) => nonces.get(content) === nonce)).toBe(true);
    expect(chat.texts.filter((each) => each === "one" || each === "two")).toEqual(["one", "two"]);
  });

  test("after a day only its writer can say whether a message is sent again: the server may have it, and forgot its nonce", async () => {
    const outbox = makeOutbox();
    for (const hours of [23, 24]) {
      post.next = [{ status: 503 }];
      await say(outbox, `after ${hours} hours`);
      await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
      now += hours * 3600_000;
      outbox.sendNow();
      if (hours < 24) await isEmpty(outbox);
    }
    expect(outbox.unsent).toMatchObject([{ state: "failed", isOld: true }]);
    expect(post.contents).toEqual(["after 23 hours", "after 23 hours", "after 24 hours"]);
    outbox.retry(outbox.unsent[0]?.nonce ?? "");
    await isEmpty(outbox);
    expect(post.contents.at(-1)).toBe("after 24 hours");
  });

  test("what another tab sent or discarded is not sent here, also where that is heard before the kept ones are read", async () => {
    const common = { authorId: idOf("bob"), channelId: idOf("general"), replyTo: null, attachments: [] };
    for (const nonce of ["one", "two"])
      store.kept.set(nonce, { ...common, nonce, content: nonce, writtenAt: 1, state: "waiting" });
    const outbox = makeOutbox();
    const opening = outbox.open();
    store.dropElsewhere("one");
    await opening;
    await isEmpty(outbox);
    outbox.hold();
    await say(outbox, "three");
    store.dropElsewhere(outbox.unsent[0]?.nonce ?? "");
    outbox.release();
    await say(outbox, "four");
    await isEmpty(outbox);
    expect(post.contents).toEqual(["two", "four"]);
  });

  test("what a page of messages shows to be there is not sent again; another's message of the same nonce says nothing", async () => {
    const outbox = makeOutbox();
    post.next = [{ status: 503 }];
    await say(outbox, "one");
    await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
    const { nonce = "", channelId = "" } = outbox.unsent[0] ?? {};
    const there = { ...posted(channelId, { content: "one", nonce }), id: idOf("found again") };
    const show = (author: typeof there.author) =>
      chat.change((copy) =>
        withWindow(copy, channelId, { far: { messages: [{ ...there, author }], hasOlder: false } }),
      );
    show({ ...there.author, id: idOf("carol") });
    expect(outbox.unsent).toHaveLength(1);
    show(there.author);
    expect([outbox.unsent, post.got.length]).toEqual([[], 1]);
    await until(() => store.kept.size === 0);
  });

  test("what another person left at this browser is not shown and not sent, and is there for them later", async () => {
    post.next = [{ status: 503 }];
    const outbox = makeOutbox();
    await say(outbox, "of Bob");
    await until(() => outbox.unsent[0]?.nextTryAt !== undefined);
    const { copy } = chat.state;
    if (!copy) throw new Error("there is a copy");
    chat.become({ copy: { ...copy, user: { ...copy.user, id: idOf("carol") } } });
    const hers = makeOutbox();
    await hers.open();
    expect(hers.unsent).toEqual([]);
    await say(hers, "of Carol", "lounge");
    await isEmpty(hers);
    expect(post.contents).toEqual(["of Bob", "of Carol"]);
    expect([...store.kept.values()].map(({ content }) => content)).toEqual(["of Bob"]);
    chat.become({ copy });
    await isEmpty(hers);
    expect(post.contents.at(-1)).toBe("of Bob");
  });
});
