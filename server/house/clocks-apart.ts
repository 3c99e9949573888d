// Whether the clocks of all processes and of their database agree: order and rights do not depend on it, and the times that
// people read do.
import type { Log } from "../telemetry/log.ts";
import { perHouse } from "./per-house.ts";

/** Clocks that are further apart are told of, in milliseconds, and those that are nearer again agree. */
const apartMs = 5000;
const togetherMs = 4000;

export const clocksApart = perHouse("cache", ({ log }) => new ClocksApart(log));

/** An answer that says what time it is, and this machine's times before and after it. All in milliseconds since 1970. */
interface Asked {
  before: number;
  theirs: number;
  after: number;
}

/** Returns by how many milliseconds this machine is ahead; what the answer was on its way does not count against it. */
export function aheadOf({ before, theirs, after }: Asked): number {
  return theirs < before ? before - theirs : Math.min(0, after - theirs);
}

export class ClocksApart {
  /** By how many milliseconds this machine's clock is ahead of the database's. */
  #aheadMs = 0;
  readonly #log: Log;
  #trouble: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** How the clocks differ, as a sentence without a full stop; undefined while they agree. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Does work that learns the database's time (`at`); it tells the other processes how far this one was off before. */
  async ask<T extends { at: number }>(work: (aheadMs: number) => Promise<T>): Promise<T> {
    const before = Date.now();
    const answer = await work(this.#aheadMs);
    this.#aheadMs = aheadOf({ before, theirs: answer.at, after: Date.now() });
    return answer;
  }

  /** `others`: by how many milliseconds the clock of each other process is ahead of the database's, as it told. */
  compare(others: readonly number[]): void {
    const all = [0, this.#aheadMs, ...others];
    const spreadMs = Math.max(...all) - Math.min(...all);
    const before = this.#trouble;
    const isApart = spreadMs > (before === undefined ? apartMs : togetherMs);
    this.#trouble = isApart
      ? `${sayApart(this.#aheadMs, spreadMs)}: let all machines keep time by NTP`
      : undefined;
    if (before === undefined && this.#trouble !== undefined) this.#log.warn(this.#trouble);
    if (before !== undefined && this.#trouble === undefined)
      this.#log.info("the clocks of the processes and of the database agree again");
  }
}

function sayApart(aheadMs: number, spreadMs: number): string {
  if (Math.abs(aheadMs) <= togetherMs)
    return `the clocks of the processes and of the database are ${inSeconds(spreadMs)} apart`;
  const way = aheadMs > 0 ? "ahead of" : "behind";
  return `this machine's clock is ${inSeconds(aheadMs)} ${way} that of the database`;
}

function inSeconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000)} s`;
}
