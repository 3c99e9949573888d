// Limits how often the rights of many members change, by server and by person: each change checks every listener.
import { Refusal } from "../../protocol/errors.ts";
import { isPerson } from "../bus/subjects.ts";
import type { House } from "./house.ts";
import { perHouse } from "./per-house.ts";
import type { PendingEvent, UnitOfWork } from "./unit.ts";

/** A person who sets up several servers may change as much as in this many at once. */
const serversOfPerson = 5;

const limiter = perHouse("cache", ({ limits, config }) => {
  const { perSecond, burst } = config.rates.rights;
  const person = { perSecond: perSecond * serversOfPerson, burst: burst * serversOfPerson };
  return limits.of("rights", { server: config.rates.rights, person });
});

/**
 * Counts the unit's changes to the rights of many, before they are committed. Throws rate_limited (429) when a server
 * or the caller has made too many.
 */
export async function takeTurn({ house, events, caller }: UnitOfWork): Promise<void> {
  if (!house.config.rateLimits) return;
  for (const home of new Set(events.filter(changesMany).map((event) => event.place.home))) {
    await take(house, "server", home, "What many may do changes too often in this server. Wait a moment.");
    if (!caller) continue;
    await take(
      house,
      "person",
      caller.userId,
      "You change too often what many may do, over all your servers. Wait a moment.",
    );
  }
}

async function take(
  house: House,
  rateClass: "server" | "person",
  key: string,
  sentence: string,
): Promise<void> {
  const { allowed, resetAfterS } = await limiter(house).take(rateClass, key);
  if (!allowed) throw new Refusal("rate_limited", sentence, { retryAfter: resetAfterS });
}

function changesMany({ touches, ends }: PendingEvent): boolean {
  return ends === null && !touches.every(isPerson);
}
