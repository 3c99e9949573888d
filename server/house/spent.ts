// What people used up of something that comes back with time, in milliseconds: connections to hosts, decoding.
import { Cache } from "./cache.ts";

interface Sum {
  ms: number;
  at: number;
}

/** With more people those are forgotten who were remembered first. */
const mostPeople = 10_000;

export class Spent {
  readonly #sums = new Cache<Sum>(mostPeople);
  readonly #givenBack: number;

  /** `givenBack`: the share of the time that passes by which a sum becomes less. */
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
