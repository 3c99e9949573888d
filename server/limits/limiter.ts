// How often something may be done: what a limiter promises, of this process alone or shared with others.
import type { Rate } from "../config/settings.ts";

export interface Taken {
  allowed: boolean;
  limit: number;
  /** What is left, as far as this process knows. */
  remaining: number;
  /** Seconds until the bucket is full; for a refused call, until the next call is allowed. */
  resetAfterS: number;
}

/** Buckets of several classes, each with its rate; a bucket for each key. */
export interface Limiter {
  /** Takes one token if there is one: at once where that can be told here, in the order of the calls where not. */
  take(rateClass: string, key: string): Taken | Promise<Taken>;
  /** Undoes an allowed `take`: the call does not count in this bucket. */
  giveBack(rateClass: string, key: string): void;
}

export interface Limits {
  /** A limiter whose buckets are those of every process that asks for this name. Called once a name. */
  of(name: string, rates: Record<string, Rate>): Limiter;
  close(): void;
}
