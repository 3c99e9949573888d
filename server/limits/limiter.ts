// The interface of a rate limiter, whose buckets belong to this process alone or are shared with others.
import type { Rate } from "../config/rate.ts";

export interface Taken {
  allowed: boolean;
  limit: number;
  /** Tokens left in the bucket, as far as this process knows. */
  remaining: number;
  /** Seconds until the bucket is full; for a refused call, until it is allowed. */
  resetAfterS: number;
  /** Set when the shared bucket could not be reached, and the call was counted in this process's own. */
  isApart?: true;
}

/** Buckets of several classes, each with its rate; one bucket per key. */
export interface Limiter {
  /**
   * Takes `wanted` tokens if they are there, one by default and no more than the bucket can hold: synchronously when
   * this process can decide it, otherwise in the order of the calls.
   */
  take(rateClass: string, key: string, wanted?: number): Taken | Promise<Taken>;
  /**
   * Raises the cost of a call that took one token to `wanted`: takes the rest if it is there. Otherwise the one stays
   * taken, so that refused calls are not free, and `resetAfterS` tells when all of them will be there.
   */
  takeRest(rateClass: string, key: string, wanted: number): Taken | Promise<Taken>;
  /** Undoes an allowed `take` of one token: the call does not count in its bucket. */
  giveBack(rateClass: string, key: string, taken: Taken): void;
}

export interface Limits {
  /** A limiter whose buckets are shared by all processes that use this name. Called once per name. */
  of(name: string, rates: Record<string, Rate>): Limiter;
  /** A sentence without a full stop while processes count separately because Redis refuses writes; for people. */
  readonly trouble: string | undefined;
  close(): void;
}
