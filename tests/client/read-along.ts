// The parts of history tests: a connection that can be slow, people who write, and a page that follows them.
import { expect } from "bun:test";
import { Chat } from "../../client/chat.ts";
import { History } from "../../client/history.ts";
import type { Span, Window } from "../../client/window.ts";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import type { Relay } from "./relay.ts";

/** A proxy for a page's API calls that adds the browser's cookie and can delay lists of messages. */
export class Line {
  token = "";
  isHeld = false;
  /** The paths of all calls so far, below the API's prefix. */
  readonly asked: string[] = [];
  readonly #server: ReturnType<typeof Bun.serve>;
  #waiting: ((isLost: boolean) => void)[] = [];

  constructor(target: () => string) {
    this.#server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        this.asked.push(pathname.replace("/api/v1", ""));
        const headers = { Authorization: `Bearer ${this.token}` };
        const answer = await fetch(`${target()}${pathname}${search}`, { headers });
        const body = await answer.text();
        if (this.isHeld) {
          const isLost = await new Promise<boolean>((resolve) => this.#waiting.push(resolve));
          if (isLost) return new Response("", { status: 503 });
        }
        // Two concurrent requests may be answered in reverse order.
        else await Bun.sleep(Math.random() * 15);
        return new Response(body, { status: answer.status, headers: answer.headers });
      },
    });
  }

  get origin(): string {
    return this.#server.url.origin;
  }

  get held(): number {
    return this.#waiting.length;
  }

  /** Releases the held answers; drops them if `areLost`. */
  release({ areLost = false } = {}): void {
    this.isHeld = false;
    for (const go of this.#waiting.splice(0)) go(areLost);
  }

  async close(): Promise<void> {
    this.release();
    await this.#server.stop(true);
  }
}

/** The messages that Alice writes in the channel. */
export class Talk {
  readonly channelId: string;
  /** Oldest first, including deleted ones. */
  readonly said: Message[] = [];
  readonly deleted = new Set<string>();
  readonly #alice: TestPerson;
  readonly #bob: TestPerson;
  readonly #serverId: string;

  constructor(alice: TestPerson, bob: TestPerson, serverId: string, channelId: string) {
    this.#alice = alice;
    this.#bob = bob;
    this.#serverId = serverId;
    this.channelId = channelId;
  }

  get newestId(): string {
    return this.said.at(-1)?.id ?? "";
  }

  async say(): Promise<void> {
    this.said.push(await this.#alice.say(this.channelId, `message ${this.said.length}`));
  }

  async correct(at: number): Promise<void> {
    const id = this.#idAt(at);
    if (id) await this.#alice.patch(`/messages/${id}`, { content: `corrected ${crypto.randomUUID()}` });
  }

  /** Alice and the reader react with two emoji, so that counts reach two, and the order of the emoji changes. */
  async react(at: number, by = at): Promise<void> {
    const id = this.#idAt(at);
    if (id) await this.#reactor(by).post(`/messages/${id}/reactions`, { emoji: emojiOf(by) });
  }

  async takeBack(at: number, by = at): Promise<void> {
    const id = this.#idAt(at);
    if (id) await this.#reactor(by).delete(`/messages/${id}/reactions/${encodeURIComponent(emojiOf(by))}`);
  }

  async delete(at: number): Promise<void> {
    const id = this.#idAt(at);
    if (!id) return;
    this.deleted.add(id);
    await this.#alice.delete(`/messages/${id}`);
  }

  /** A change of permissions during an absence cannot be replayed. */
  async changeRights(): Promise<void> {
    await this.#alice.giveRole(this.#serverId, this.#bob, 1795);
  }

  /** All messages that the server lists, newest first. */
  async listed(): Promise<Message[]> {
    const all: Message[] = [];
    for (let before = ""; ; ) {
      const { body, headers } = await this.#bob.get<Message[]>(
        `/channels/${this.channelId}/messages?limit=100${before}`,
      );
      all.push(...body);
      if (headers.get("x-has-more") !== "true") return all;
      before = `&before=${body.at(-1)?.id}`;
    }
  }

  #reactor(by: number): TestPerson {
    return by % 2 === 0 ? this.#alice : this.#bob;
  }

  #idAt(at: number): string | undefined {
    const there = this.said.filter(({ id }) => !this.deleted.has(id));
    return there[at % (there.length || 1)]?.id;
  }
}

function emojiOf(by: number): string {
  return by % 4 < 2 ? "🎉" : "🌙";
}

/** Bob's page: its state, and its pending requests. */
export class Page {
  readonly chat: Chat;
  readonly history: History;
  readonly talk: Talk;
  /** A hidden page does not draw until it is shown. */
  isHidden = false;
  readonly #relay: Relay;
  readonly #heard = new Set<string>();
  readonly #asked = new Set<Promise<void>>();
  #waiting: (() => void)[] = [];

  constructor(relay: Relay, token: string, talk: Talk) {
    this.#relay = relay;
    this.talk = talk;
    this.chat = new Chat({
      url: relay.gateway,
      token,
      soon: (run) => {
        if (!this.isHidden) return void setTimeout(run, Math.random() * 10);
        this.#waiting.push(run);
      },
    });
    this.chat.listen(({ data }) => this.#heard.add((data as { id?: string })?.id ?? ""));
    this.history = new History(this.chat);
    this.chat.connection.start();
  }

  get window(): Window | undefined {
    return this.chat.state.copy?.windows.get(this.talk.channelId);
  }

  /** Changes with each numbered event, drawn or not. */
  get position(): string {
    return JSON.stringify(this.chat.connection.position.resume);
  }

  heard(id: string): boolean {
    return this.#heard.has(id);
  }

  draw(): void {
    for (const run of this.#waiting.splice(0)) run();
  }

  isLive(): Promise<void> {
    return until(() => {
      this.chat.connection.tryNow();
      return this.chat.state.connection.is === "live" && this.chat.state.copy !== undefined;
    }, "the page does not connect");
  }

  /** Starts a request without waiting for it; failures are ignored, as another request fetches the same later. */
  ask(asked: Promise<void>): void {
    const done = asked.catch(() => {}).finally(() => this.#asked.delete(done));
    this.#asked.add(done);
  }

  /** Waits for all requests and events; then refetches, as a view does, if anything may have been missed. */
  async settle(): Promise<void> {
    this.isHidden = false;
    this.draw();
    await this.isLive();
    while (this.#asked.size > 0) await Promise.all(this.#asked);
    const { channelId } = this.talk;
    const place = this.window?.far?.messages[3]?.id;
    // Events arrive in order: this one comes last.
    await this.talk.say();
    await until(() => this.heard(this.talk.newestId), "what was said last is not heard");
    if (!this.history.isFresh(channelId)) await this.history.renew(channelId, place);
  }

  /** Expects no message within a span to be missing or doubled, except for deleted ones. */
  expectNoGap(): void {
    for (const span of [this.window?.live, this.window?.far]) {
      const ids = span?.messages.map(({ id }) => id) ?? [];
      expect(ids).toEqual([...new Set(ids)].sort().reverse());
      const [newest = "", oldest = "~"] = [ids[0], ids.at(-1)];
      const there = new Set(ids);
      const missing = this.talk.said.filter(
        ({ id }) => id > oldest && id < newest && !there.has(id) && !this.talk.deleted.has(id),
      );
      expect(missing.map(({ content }) => content)).toEqual([]);
    }
  }

  /**
   * Waits until the page holds a part of the list: messages whose reactions may be counted twice are refetched in the
   * background.
   */
  async becomesPieces(all: readonly Message[]): Promise<void> {
    const isSo = () => {
      try {
        this.expectPieces(all);
        return true;
      } catch {
        return false;
      }
    };
    await until(isSo, "").catch(() => this.expectPieces(all));
  }

  expectPieces(all: readonly Message[]): void {
    const { live, far } = this.window ?? {};
    expect(live ?? far).toBeDefined();
    if (live) expect(live.messages.map(toldOf)).toEqual(all.slice(0, live.messages.length).map(toldOf));
    for (const span of [live, far]) if (span) expectPiece(span, all);
  }

  close(): void {
    this.chat.connection.stop();
    this.#relay.restore();
  }
}

function expectPiece({ messages, hasOlder }: Span, all: readonly Message[]): void {
  const from = all.findIndex(({ id }) => id === messages[0]?.id);
  if (messages.length === 0) return;
  expect(messages.map(toldOf)).toEqual(all.slice(from, from + messages.length).map(toldOf));
  if (from + messages.length < all.length) expect(hasOlder).toBe(true);
}

function toldOf({ id, content, reactions }: Message) {
  return { id, content, reactions };
}
