// Connected people and what they chose to show, in memory: presence never touches the disk on its way.

import { type House, perHouse } from "../../server/house/house.ts";
import type { ChosenPresence } from "./store.ts";

export type ShownPresence = "online" | "idle" | "dnd" | "offline";

/** By user id, for people with an open socket (or one that closed a moment ago): the presence that they chose. */
const connected = perHouse("truth", () => new Map<string, ChosenPresence>());

/** The ids of people on do-not-disturb at the moment by their hours, connected or not, whatever they chose. */
const doNotDisturb = perHouse("truth", () => new Set<string>());

/** Returns what others see: `invisible` is stronger than do-not-disturb, and that than any other choice. */
export function shownPresence(house: House, userId: string): ShownPresence {
  const chosen = connected(house).get(userId);
  if (chosen === undefined || chosen === "invisible") return "offline";
  return doNotDisturb(house).has(userId) ? "dnd" : chosen;
}

export function setDoNotDisturb(house: House, userId: string, is: boolean): void {
  if (is) doNotDisturb(house).add(userId);
  else doNotDisturb(house).delete(userId);
}

export function isConnected(house: House, userId: string): boolean {
  return connected(house).has(userId);
}

export function setConnected(house: House, userId: string, chosen: ChosenPresence): void {
  connected(house).set(userId, chosen);
}

export function setDisconnected(house: House, userId: string): void {
  connected(house).delete(userId);
}
