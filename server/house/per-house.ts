// Values of which each house has one.
import type { House } from "./house.ts";

/**
 * The fate of a per-process value when the process ends, or beside other processes.
 *
 * - `cache`: data of the database, a disk or a service, or a connection. It can be loaded again; invalidation drops it.
 * - `queue`: work that this process has begun, and its turns. It ends with it, and is resumed or requested again.
 *
 * Data that exists nowhere else is neither: it would be lost with the process, and beside others be incomplete.
 */
type KeptAs = "cache" | "queue";

/** Declares such a value: `const mailer = perHouse("cache", (house) => new Mailer(house))`, then `mailer(house)`. */
export function perHouse<T>(_as: KeptAs, make: (house: House) => T): (house: House) => T {
  const values = new WeakMap<House, T>();
  return (house) => {
    const known = values.get(house);
    if (known !== undefined) return known;
    const value = make(house);
    values.set(house, value);
    return value;
  };
}
