// The rate of all webhooks of a server together: each has its own limit, but one person may create many.
import { Refusal } from "../../protocol/errors.ts";
import { costOf } from "../../server/caller/dear.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { createMessage } from "../messages/contract.ts";
import type { Admitted } from "./access.ts";

const limiter = perHouse("cache", ({ limits, config }) =>
  limits.of("webhooks", { server: config.rates.serverWebhooks }),
);

/** Called after the token was checked: guesses cannot use up a server's rate. Throws rate_limited. */
export async function takeTurn(house: House, { webhook, countAs }: Admitted, body: object): Promise<void> {
  // Mentions cost as much as in any message.
  const cost = costOf(createMessage, undefined, body);
  if (cost > 1) await countAs(cost);
  if (!house.config.rateLimits) return;
  const { allowed, resetAfterS } = await limiter(house).take("server", webhook.server_id, cost);
  if (allowed) return;
  throw new Refusal("rate_limited", "The webhooks of this server post too often. Wait a moment.", {
    retryAfter: resetAfterS,
  });
}
