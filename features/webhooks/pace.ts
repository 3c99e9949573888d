// The rate of all webhooks of a server together: each has its own limit, but one person may make many.
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house/house.ts";

const limiter = perHouse("cache", ({ limits, config }) =>
  limits.of("webhooks", { server: config.rates.serverWebhooks }),
);

/** Called after the token was checked: guesses cannot use up a server's rate. Throws rate_limited. */
export async function takeTurn(house: House, serverId: string): Promise<void> {
  if (!house.config.rateLimits) return;
  const { allowed, resetAfterS } = await limiter(house).take("server", serverId);
  if (allowed) return;
  throw new Refusal("rate_limited", "The webhooks of this server post too often. Wait a moment.", {
    retryAfter: resetAfterS,
  });
}
