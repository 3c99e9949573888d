// How often something may be done: what a limiter promises, of this process alone or shared with others.
import type { Rate } from "../config/settings.ts";

export interface Taken {
  allowed: boolean;
  limit: number;
  /** What is left, as far as this process knows. */
  remaining: number;
  /** Seconds until the bucket is full; for a refused call, until it is allowed. */
  resetAfterS: number;
  /** Set where the shared bucket could not be reached, and the call counted in one of this process. */
  isApart?: true;
}

/** Buckets of several classes, each with its rate; a bucket for each key. */
export interface Limiter {
  /**
   * Takes so many tokens if they are there, one by default and no more than the bucket can hold: at once where that can
   * be told here, in the order of the calls where not.
   */
  take(rateClass: string, key: string, wanted?: number): Taken | Promise<Taken>;
  /**
   * Lets a call that took one token count as so many: takes the rest of them if it is there. Where it is not, the one
   * stays taken, so that refused calls are not free, and `resetAfterS` tells when all of them will be there.
   */
  takeRest(rateClass: string, key: string, wanted: number): Taken | Promise<Taken>;
  /** Undoes an allowed `take` of one token: the call does not count in its bucket. */
  giveBack(rateClass: string, key: string, taken: Taken): void;
}

export interface Limits {
  /** A limiter whose buckets are those of every process that asks for this name. Called once a name. */
  of(name: string, rates: Record<string, Rate>): Limiter;
  /** A sentence without a full stop while processes count for themselves because Redis refuses to; for people. */
  readonly trouble: string | undefined;
  close(): void;
}
