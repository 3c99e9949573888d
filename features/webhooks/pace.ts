// The rate of all webhooks of a server together: each has its own limit, but one person may make many.
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { Limiter } from "../../server/limiter.ts";

const limiter = perHouse("truth", (house) => new Limiter({ server: house.config.rates.serverWebhooks }));

/** Called after the token was checked: guesses cannot use up a server's rate. Throws rate_limited. */
export function takeTurn(house: House, serverId: string): void {
  if (!house.config.rateLimits) return;
  const { allowed, resetAfterS } = limiter(house).take("server", serverId);
  if (allowed) return;
  throw new Refusal("rate_limited", "The webhooks of this server post too often. Wait a moment.", {
    retryAfter: resetAfterS,
  });
}
