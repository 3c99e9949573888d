// How people who are connected, to whatever process, are seen: remembered, as everybody's profile shows it.

import { type House, perHouse } from "../../server/house/house.ts";
import type { ChosenPresence } from "./store.ts";

export type ShownPresence = "online" | "idle" | "dnd" | "offline";

/** By user id of people who are connected: what they chose, or `dnd` by their hours. Presence looks when it may change. */
const seenAs = perHouse("cache", () => new Map<string, ChosenPresence>());

/** Returns what others see. */
export function shownPresence(house: House, userId: string): ShownPresence {
  const seen = seenAs(house).get(userId);
  return seen === undefined || seen === "invisible" ? "offline" : seen;
}

/** Whether the person is connected, as far as it was looked. */
export function isConnected(house: House, userId: string): boolean {
  return seenAs(house).has(userId);
}

/** `undefined`: the person is not connected. */
export function setSeen(house: House, userId: string, as: ChosenPresence | undefined): void {
  if (as === undefined) seenAs(house).delete(userId);
  else seenAs(house).set(userId, as);
}
