// Compares the events that this process has heard with the database, to recover whatever the bus lost.
import { setTimeout as sleep } from "node:timers/promises";
import type { Heard } from "../bus/heard.ts";
import { SharedBus } from "../bus/shared.ts";
import { logFailure } from "../house/failure.ts";
import type { House } from "../house/house.ts";
import { readLog } from "../house/log-table.ts";
import { nextTurn } from "../house/pieces.ts";
import { streamHeads } from "../house/streams.ts";
import { OnceMore } from "../once-more.ts";
import type { StreamKey } from "../place.ts";
import { Notices } from "./notices.ts";

/** The pause between two checks, in milliseconds: a revocation elsewhere takes effect here after twice that at most. */
const lookMs = 400;
/** Streams whose heads are read in one query. */
const headsAtOnce = 2000;
/** Events of one stream that are read at once, and in one check; a process that is further behind starts over. */
const readAtOnce = 500;
const mostRead = 10_000;
/** Without a check for this long, in milliseconds, no cache is trusted any more. */
const blindMs = 10_000;
/** How often that is checked, in milliseconds: a hanging check does not report itself. */
const checkMs = 1000;
/** Every so many checks, streams that this process no longer needs are given up. */
const tidyEvery = 25;

/** Lets the house also learn of other processes' commits through the database; undefined where it is alone. */
export async function followOthers(house: House): Promise<Tail | undefined> {
  if (!(house.bus instanceof SharedBus)) return undefined;
  const tail = new Tail(house, house.bus);
  await tail.start();
  return tail;
}

export class Tail {
  readonly #house: House;
  readonly #bus: SharedBus;
  readonly #notices: Notices;
  /** The streams that were behind at the last check, with their heads then. */
  #behind = new Map<StreamKey, number>();
  #lookedAt = { steady: performance.now(), at: Date.now() };
  #ended: Promise<void> | undefined;
  #check: ReturnType<typeof setInterval> | undefined;
  readonly #stop = new AbortController();
  /** Sign-ins that wait for the notices share a read. */
  readonly #reads = new OnceMore();

  constructor(house: House, bus: SharedBus) {
    this.#house = house;
    this.#bus = bus;
    this.#notices = new Notices(house.database.read);
    bus.onBehind(() => this.#readNotices());
  }

  /** Checks for the first time; from then on it runs by itself. */
  async start(): Promise<void> {
    await this.#look();
    this.#ended = this.#run();
    this.#check = setInterval(() => this.#forgetWhenBlind(), checkMs).unref();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#check);
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let looks = 1; ; looks++) {
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#look();
        if (looks % tidyEvery === 0) this.#tidy();
      } catch (error) {
        if (!signal.aborted) logFailure(this.#house, error, "what other processes commit could not be read");
      }
    }
  }

  async #look(): Promise<void> {
    const begun = { steady: performance.now(), at: Date.now() };
    await this.#readNotices();
    await this.#compareHeads();
    this.#lookedAt = begun;
  }

  #readNotices(): Promise<void> {
    return this.#reads.run("notices", async () => {
      const news = await this.#notices.read();
      if (news) this.#bus.take(news);
      else this.#beginAgain();
    });
  }

  /** Compares both clocks, as the monotonic one stops while the machine sleeps. */
  #isPast(ms: number): boolean {
    const { steady, at } = this.#lookedAt;
    return performance.now() - steady > ms || Date.now() - at > ms;
  }

  #beginAgain(): void {
    this.#bus.take([{ kind: "lost" }]);
  }

  /** Repeatedly: what was read meanwhile may be untrue by now. */
  #forgetWhenBlind(): void {
    if (this.#isPast(blindMs)) this.#house.forgetAll();
  }

  async #compareHeads(): Promise<void> {
    const followed = [...this.#bus.followed()];
    const behind = new Map<StreamKey, number>();
    for (let i = 0; i < followed.length; i += headsAtOnce) {
      if (i > 0) await nextTurn();
      const some = followed.slice(i, i + headsAtOnce);
      const keys = some.map(([stream]) => stream);
      const settling = some.filter(([, heard]) => heard.isComing && !heard.isSettled);
      const heads = await streamHeads(this.#house.database.read, keys);
      for (const [stream, heard] of some) {
        const head = heads.get(stream) ?? 0;
        if (head <= heard.upTo) continue;
        // Recent commits are mostly already on their way.
        const mayCome = this.#bus.isCarried && heard.isSettled;
        if (!mayCome || heard.upTo < (this.#behind.get(stream) ?? 0)) await this.#heal(stream, heard, head);
        else behind.set(stream, head);
      }
      for (const [, heard] of settling) heard.isSettled = true;
    }
    this.#behind = behind;
  }

  async #heal(stream: StreamKey, heard: Heard, head: number): Promise<void> {
    if (head - heard.upTo > mostRead) {
      heard.reach(head);
      return this.#bus.take([{ kind: "doubted", streams: [stream], touches: [] }]);
    }
    while (heard.upTo < head) {
      const range = { stream, after: heard.upTo, up_to: head };
      const events = await readLog(this.#house.database.read, range, readAtOnce);
      this.#bus.take(events);
      heard.reach(events.length < readAtOnce ? head : events.at(-1)!.seq);
      await nextTurn();
    }
    // Lost events may have been on any cached page.
    this.#bus.take([{ kind: "dropped", cache: "pages", key: "*" }]);
  }

  #tidy(): void {
    this.#bus.keepOnly((stream) => this.#house.wants(stream));
  }
}
