// Values that live for minutes, and that every process of one Hearth has to find.
import type { House } from "./house.ts";
import { perHouse } from "./per-house.ts";
import { MemoryShortLived } from "./short-lived-memory.ts";
import { TableShortLived } from "./short-lived-table.ts";

/** What a value is for, how long it is kept, and how many there may be: beyond that, those that end first give way. */
export interface Kind {
  name: string;
  /** From when it was put or changed last, in milliseconds. */
  keptMs: number;
  most: number;
}

/**
 * The values of one kind, by key. They are kept as JSON where processes share them, and a key that is a secret comes as
 * its hash. Everything rejects with an error for which `database.isAway` holds while that database is away.
 */
export interface ShortLived<V> {
  /** Keeps the value, in place of an earlier one of this key. */
  put(key: string, value: V): Promise<void>;
  peek(key: string): Promise<V | undefined>;
  /** Returns the value and removes it: of two calls at once, in whatever processes, one finds nothing. */
  take(key: string): Promise<V | undefined>;
  /**
   * Keeps what `next` returns in place of what it is given; undefined leaves all as it is, and so does an error, which is
   * thrown on. Of two changes of a key at once one sees what the other made. `now`: milliseconds by the one clock that
   * all changes go by, whose beginning is anywhere.
   */
  change(key: string, next: (known: V | undefined, now: number) => V | undefined): Promise<void>;
  /** Returns the values whose keys begin like this. */
  values(beginning: string): Promise<V[]>;
  clear(): Promise<void>;
}

/** Declares a kind: `const codes = shortLived<Code>({ … })`, then `codes(house).put(…)`. */
export function shortLived<V>(kind: Kind): (house: House) => ShortLived<V> {
  // A process that is alone is all that there is, and its memory is sooner than any database.
  return perHouse<ShortLived<V>>("cache", ({ isShared, database }) =>
    isShared ? new TableShortLived(database, kind) : new MemoryShortLived(kind),
  );
}
