// Whether the clocks of all processes and of their database agree: displayed times depend on it, order and rights do
// not.

import { perHouse } from "../house/per-house.ts";
import type { Log } from "../telemetry/log.ts";

/** Clocks that are further apart are reported; nearer than the second they agree again. In milliseconds. */
const apartMs = 5000;
const togetherMs = 4000;

export const clocksApart = perHouse("cache", ({ log }) => new ClocksApart(log));

/** The time in an answer, and this machine's times before and after it. All in milliseconds since 1970. */
interface Asked {
  before: number;
  theirs: number;
  after: number;
}

/** Returns by how many milliseconds this machine is ahead; the answer's travel time does not count. */
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

  /** Runs work that reads the database's time (`at`), and is given the last known `aheadMs` to report. */
  async ask<T extends { at: number }>(work: (aheadMs: number) => Promise<T>): Promise<T> {
    const before = Date.now();
    const answer = await work(this.#aheadMs);
    this.#aheadMs = aheadOf({ before, theirs: answer.at, after: Date.now() });
    return answer;
  }

  /** `others`: by how many milliseconds each other process reports its clock ahead of the database's. */
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
