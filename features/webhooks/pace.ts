// How often the webhooks of one server post together: each has its own bound, and one person may make many.
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { Limiter } from "../../server/limiter.ts";

const limiter = perHouse((house) => new Limiter({ server: house.config.rates.serverWebhooks }));

/** For calls that had the right token: guesses cannot use up a server's turns. Throws rate_limited. */
export function takeTurn(house: House, serverId: string): void {
  if (!house.config.rateLimits) return;
  const { allowed, resetAfterS } = limiter(house).take("server", serverId);
  if (allowed) return;
  throw new Refusal("rate_limited", "The webhooks of this server post too often. Wait a moment.", {
    retryAfter: resetAfterS,
  });
}
