// How often the rights of many change in one server: each time all who listen there are looked at, and told of channels.
import { Refusal } from "../protocol/errors.ts";
import { type House, perHouse } from "./house.ts";
import { Limiter } from "./limiter.ts";
import type { PendingEvent } from "./unit.ts";

const limiter = perHouse((house) => new Limiter({ server: house.config.rates.rights }));

/** For a change that is about to be committed, whoever makes it. Throws rate_limited. */
export function takeTurn(house: House, events: readonly PendingEvent[]): void {
  if (!house.config.rateLimits) return;
  for (const serverId of new Set(events.filter(changesMany).map((event) => event.serverId))) {
    const { allowed, resetAfterS } = limiter(house).take("server", serverId);
    if (allowed) continue;
    throw new Refusal("rate_limited", "What many may do changes too often in this server. Wait a moment.", {
      retryAfter: resetAfterS,
    });
  }
}

function changesMany({ touches, ends }: PendingEvent): boolean {
  return ends === null && touches.some((name) => name === "*" || name.startsWith("role:"));
}
