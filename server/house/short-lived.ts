// Values that live for minutes, and that every process of one Hearth can find.
import type { House } from "./house.ts";
import { perHouse } from "./per-house.ts";

/** The purpose, lifetime and maximum number of values: beyond that, the first to expire are removed. */
export interface Kind {
  name: string;
  /** Lifetime after the last put or change, in milliseconds. */
  keptMs: number;
  most: number;
}

/**
 * The values of one kind, by key. They are stored as JSON where processes share them, and a secret key is passed as its
 * hash. All methods reject with an error for which `database.isAway` holds while that database is away.
 */
export interface ShortLived<V> {
  /** Stores the value, replacing an earlier one of this key. */
  put(key: string, value: V): Promise<void>;
  peek(key: string): Promise<V | undefined>;
  /** Returns the value and removes it: of two concurrent calls, in any processes, one finds nothing. */
  take(key: string): Promise<V | undefined>;
  /**
   * Replaces the value with the result of `next`; undefined leaves it as it is, and so does an error, which is
   * rethrown. Of two concurrent changes of a key, one sees the other's result. `now`: milliseconds by a clock that all
   * changes share, with an arbitrary origin.
   */
  change(key: string, next: (known: V | undefined, now: number) => V | undefined): Promise<void>;
  /** Returns the values whose keys have this prefix. */
  values(beginning: string): Promise<V[]>;
  clear(): Promise<void>;
}

/** Declares a kind: `const codes = shortLived<Code>({ … })`, then `codes(house).put(…)`. */
export function shortLived<V>(kind: Kind): (house: House) => ShortLived<V> {
  return perHouse<ShortLived<V>>("cache", ({ others }) => others.shortLived(kind));
}
