// How often a person may change their list of blocks: each change writes the whole list into the person's stream.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { Limiter } from "../../server/limiter.ts";

/** As many changes at once as a list has room for, then one a second. */
const limiter = perHouse(() => new Limiter({ person: { perSecond: 1, burst: limits.blocks_max } }));

/** Throws rate_limited. */
export function takeTurn(house: House, userId: string): void {
  if (!house.config.rateLimits) return;
  const { allowed, resetAfterS } = limiter(house).take("person", userId);
  if (allowed) return;
  const sentence = "You change whom you block too often. Wait a moment.";
  throw new Refusal("rate_limited", sentence, { retryAfter: resetAfterS });
}
