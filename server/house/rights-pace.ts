// How often the rights of many change, in one server and by one person: each time all who listen there are looked at.
import { Refusal } from "../../protocol/errors.ts";
import { Limiter } from "../limiter.ts";
import { type House, perHouse } from "./house.ts";
import type { PendingEvent, Unit } from "./unit.ts";

/** Somebody who sets up many servers may change as much as in this many at once. */
const serversOfPerson = 5;

const limiter = perHouse(({ config }) => {
  const { perSecond, burst } = config.rates.rights;
  const person = { perSecond: perSecond * serversOfPerson, burst: burst * serversOfPerson };
  return new Limiter({ server: config.rates.rights, person });
});

/** For a change that is about to be committed. Throws rate_limited. */
export function takeTurn({ house, events, caller }: Unit): void {
  if (!house.config.rateLimits) return;
  for (const stream of new Set(events.filter(changesMany).map((event) => event.place.stream))) {
    take(house, "server", stream, "What many may do changes too often in this server. Wait a moment.");
    if (!caller) continue;
    take(
      house,
      "person",
      caller.userId,
      "You change too often what many may do, over all your servers. Wait a moment.",
    );
  }
}

function take(house: House, rateClass: "server" | "person", key: string, sentence: string): void {
  const { allowed, resetAfterS } = limiter(house).take(rateClass, key);
  if (!allowed) throw new Refusal("rate_limited", sentence, { retryAfter: resetAfterS });
}

function changesMany({ touches, ends }: PendingEvent): boolean {
  return ends === null && touches.some((name) => name === "*" || name.startsWith("role:"));
}
