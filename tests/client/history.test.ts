// The messages that a page holds against a real house: whatever is said, corrected and deleted while pages are on their
// way, sockets are cut and sleeps are too long, what it holds is a piece of what the server lists.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { calls } from "../../client/call.ts";
import { Chat } from "../../client/chat.ts";
import { History } from "../../client/history.ts";
import type { Span, Window } from "../../client/window.ts";
import type { Message } from "../../features/messages/contract.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import type { TestPerson } from "../house/people.ts";
import { until } from "../house/waiting.ts";
import { Relay } from "./relay.ts";

const patienceMs = 180_000;

describe("the history of a channel", () => {
  let house: TestHouse;
  let relay: Relay;
  let line: Line;
  const originBefore = calls.origin;

  beforeAll(async () => {
    house = await makeHouse("SQLite", { AVATAR_URL: "off" });
    await house.open();
    relay = await Relay.to(() => house.url);
    line = new Line(() => house.url);
    calls.origin = line.origin;
  }, patienceMs);
  afterAll(async () => {
    calls.origin = originBefore;
    await line?.close();
    relay?.close();
    await house?.end();
  }, patienceMs);

  async function opened(count: number) {
    const [alice, bob] = [await house.person("alice"), await house.person("bob")];
    const server = await alice.makeServer("Ubuntu");
    await alice.bringIn(server.id, bob);
    const channelId = server.general.id;
    const talk = new Talk(alice, bob, server.id, channelId);
    for (let i = 0; i < count; i++) await talk.say();
    line.token = bob.token;
    const page = new Page(relay, bob.token, talk);
    await page.isLive();
    return { talk, page };
  }

  test(
    "what is said while its page is on its way, and not drawn yet, is not lost",
    async () => {
      const { talk, page } = await opened(3);
      page.isHidden = true;
      line.isHeld = true;
      const fetching = page.history.newest(talk.channelId);
      await until(() => line.held > 0, "the page is not asked for");
      const before = page.position;
      await talk.say();
      await until(() => page.position !== before, "nothing is heard");
      line.release();
      await fetching;
      page.isHidden = false;
      page.draw();
      const ids = page.window?.live?.messages.map(({ id }) => id);
      expect(ids).toEqual((await talk.listed()).map(({ id }) => id));
      page.close();
    },
    patienceMs,
  );

  test(
    "after a sleep that no replay covers nothing new is put behind a gap, and a jump knows nothing of the old end",
    async () => {
      const { talk, page } = await opened(70);
      await page.history.newest(talk.channelId);
      relay.cut();
      await talk.changeRights();
      for (let i = 0; i < 160; i++) await talk.say();
      relay.restore();
      await page.isLive();
      await talk.say();
      await until(() => page.heard(talk.newestId), "what is said is not heard");
      expect(page.window?.live?.messages[0]?.id).toBe(talk.said[69]?.id);
      await page.history.around(talk.channelId, talk.said[150]?.id ?? "");
      page.expectNoGap();
      await page.settle();
      page.expectPieces(await talk.listed());
      page.close();
    },
    patienceMs,
  );

  test(
    "a page that never comes is given up, and asked for anew",
    async () => {
      const { talk, page } = await opened(3);
      line.isHeld = true;
      const lost = page.history.newest(talk.channelId).then(
        () => "came",
        (error) => error.code,
      );
      await until(() => line.held > 0, "the page is not asked for");
      page.history.giveUp(talk.channelId);
      expect(await lost).toBe("unreachable");
      line.isHeld = false;
      await page.history.newest(talk.channelId);
      page.expectPieces(await talk.listed());
      line.release();
      page.close();
    },
    patienceMs,
  );

  test(
    "posts, corrections, deletions, jumps, pages and sleeps in any order: what is held is what the server lists, each once",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(130),
          fc.array(step, { minLength: 20, maxLength: 45 }),
          async (count, steps) => {
            const { talk, page } = await opened(count);
            await page.history.newest(talk.channelId);
            for (const [i, each] of steps.entries()) {
              await each({ talk, page, relay });
              page.expectNoGap();
              if (i % 9 < 8) continue;
              relay.restore();
              await page.settle();
              page.expectPieces(await talk.listed());
            }
            relay.restore();
            await page.settle();
            page.expectPieces(await talk.listed());
            page.close();
          },
        ),
        {
          numRuns: 8,
          endOnFailure: true,
          interruptAfterTimeLimit: patienceMs / 2,
          markInterruptAsFailure: false,
        },
      );
    },
    patienceMs,
  );
});

/** The way of calls from a page to the house, with the cookie that a browser would send; pages on it may be late. */
class Line {
  token = "";
  isHeld = false;
  readonly #server: ReturnType<typeof Bun.serve>;
  #waiting: (() => void)[] = [];

  constructor(target: () => string) {
    this.#server = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const headers = { Authorization: `Bearer ${this.token}` };
        const answer = await fetch(`${target()}${pathname}${search}`, { headers });
        const body = await answer.text();
        if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve));
        // Of two pages the one that was asked for first may come last.
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

  release(): void {
    this.isHeld = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  async close(): Promise<void> {
    this.release();
    await this.#server.stop(true);
  }
}

/** What is said in the channel, by Alice. */
class Talk {
  readonly channelId: string;
  /** Oldest first, also what was deleted. */
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

  async react(at: number): Promise<void> {
    const id = this.#idAt(at);
    if (id) await this.#alice.post(`/messages/${id}/reactions`, { emoji: "🎉" });
  }

  async delete(at: number): Promise<void> {
    const id = this.#idAt(at);
    if (!id) return;
    this.deleted.add(id);
    await this.#alice.delete(`/messages/${id}`);
  }

  /** Rights that changed while somebody was away cannot be replayed to them. */
  async changeRights(): Promise<void> {
    await this.#alice.giveRole(this.#serverId, this.#bob, 1795);
  }

  /** All that the server lists, newest first. */
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

  #idAt(at: number): string | undefined {
    const there = this.said.filter(({ id }) => !this.deleted.has(id));
    return there[at % (there.length || 1)]?.id;
  }
}

/** Bob's page: what it holds, and what it does without waiting for it. */
class Page {
  readonly chat: Chat;
  readonly history: History;
  readonly talk: Talk;
  /** A page that is hidden draws nothing until it is shown. */
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

  /** Changes with each numbered event that comes, drawn or not. */
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

  /** Asks for something without waiting for it; what fails is asked for again by somebody else. */
  ask(asked: Promise<void>): void {
    const done = asked.catch(() => {}).finally(() => this.#asked.delete(done));
    this.#asked.add(done);
  }

  /** Waits until all that was asked for and said is here; as a view does it, what may miss something is fetched anew. */
  async settle(): Promise<void> {
    this.isHidden = false;
    this.draw();
    await this.isLive();
    while (this.#asked.size > 0) await Promise.all(this.#asked);
    const { channelId } = this.talk;
    const place = this.window?.far?.messages[3]?.id;
    // The last event comes behind all others.
    await this.talk.say();
    await until(() => this.heard(this.talk.newestId), "what was said last is not heard");
    if (!this.history.isFresh(channelId)) await this.history.renew(channelId, place);
  }

  /** Between two messages of a span there is none that was said and not deleted; none is there twice. */
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

interface Scene {
  talk: Talk;
  page: Page;
  relay: Relay;
}

type Step = (scene: Scene) => Promise<void> | void;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Step>(({ talk }) => talk.say()) },
  {
    weight: 3,
    arbitrary: fc.nat().map(
      (at): Step =>
        ({ talk }) =>
          talk.correct(at),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat().map(
      (at): Step =>
        ({ talk }) =>
          talk.react(at),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.nat().map(
      (at): Step =>
        ({ talk }) =>
          talk.delete(at),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constant<Step>(({ page, talk }) => page.ask(page.history.older(talk.channelId))),
  },
  {
    weight: 4,
    arbitrary: fc.constant<Step>(({ page, talk }) => page.ask(page.history.newer(talk.channelId))),
  },
  {
    weight: 4,
    arbitrary: fc.nat().map(
      (at): Step =>
        ({ page, talk }) => {
          const id = talk.said[at % (talk.said.length || 1)]?.id;
          if (id) page.ask(page.history.around(talk.channelId, id));
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Step>(({ page, talk }) => page.ask(page.history.present(talk.channelId))),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isHeld): Step =>
        ({ page, talk }) =>
          page.history.hold(talk.channelId, isHeld),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (isHidden): Step =>
        ({ page }) => {
          page.isHidden = isHidden;
          page.draw();
        },
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>(({ relay }) => relay.cut()) },
  {
    weight: 3,
    arbitrary: fc.constant<Step>(({ relay, page }) => {
      relay.restore();
      page.chat.connection.tryNow();
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>(async ({ relay, talk, page }) => {
      relay.cut();
      await talk.changeRights();
      await talk.say();
      relay.restore();
      page.chat.connection.tryNow();
    }),
  },
);
