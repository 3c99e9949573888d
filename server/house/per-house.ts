// Values that each house has one of.
import type { House } from "./house.ts";

/**
 * What becomes of a value that a process has for itself when it ends, or where others work beside it.
 *
 * - `cache`: what the database, a disk or a service says, or a way there. It can be had again; what makes it untrue
 *   drops it.
 * - `queue`: what this process has begun, and whose turn it is. It ends with it, and is taken up again or asked for.
 *
 * What is known nowhere else is neither: it would go with the process, and beside others be only a part.
 */
type KeptAs = "cache" | "queue";

/** A value that each house has one of: `const mailer = perHouse("cache", (house) => new Mailer(house))`, then `mailer(house)`. */
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
