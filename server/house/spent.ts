// Tracks how much of a renewing resource each person has used, in milliseconds: connections to hosts, decoding.
import { Cache } from "../cache.ts";

interface Sum {
  ms: number;
  at: number;
}

/** The most people who are remembered; beyond that, the oldest are forgotten. */
const mostPeople = 10_000;

export class Spent {
  readonly #sums = new Cache<Sum>(mostPeople);
  readonly #givenBack: number;

  /** `givenBack`: how much a sum decreases per unit of passed time. */
  constructor(givenBack: number) {
    this.#givenBack = givenBack;
  }

  add(personId: string, ms: number, now = performance.now()): void {
    const sum = { ms: this.of(personId, now) + ms, at: now };
    this.#sums.drop(personId);
    this.#sums.put(personId, sum);
  }

  of(personId: string, now = performance.now()): number {
    const sum = this.#sums.peek(personId);
    return sum ? Math.max(0, sum.ms - (now - sum.at) * this.#givenBack) : 0;
  }
}
