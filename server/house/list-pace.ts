// How often a person may change a list of theirs: each change writes the whole list to the person's stream.
import { Refusal } from "../../protocol/errors.ts";
import type { House } from "./house.ts";
import { perHouse } from "./per-house.ts";

/**
 * Returns a function that counts a person's change of a list, as one or more, and throws rate_limited (429), with this
 * sentence, when there are too many: as many at once as the list has room for, then `perSecond`.
 */
export function listPace(
  name: string,
  room: number,
  sentence: string,
  perSecond = 1,
): (house: House, userId: string, changes?: number) => Promise<void> {
  const limiter = perHouse("cache", ({ limits }) => limits.of(name, { person: { perSecond, burst: room } }));
  return async (house, userId, changes = 1) => {
    if (!house.config.rateLimits) return;
    const { allowed, resetAfterS } = await limiter(house).take("person", userId, changes);
    if (!allowed) throw new Refusal("rate_limited", sentence, { retryAfter: resetAfterS });
  };
}
