// Who is here right now, in memory: presence never touches the disk on its way.

import type { House } from "../../server/house.ts";
import { perHouse } from "../../server/house.ts";
import type { ChosenPresence } from "./store.ts";

export type ShownPresence = "online" | "idle" | "dnd" | "offline";

/** By user id, for those with an open socket (or one that closed a moment ago): what they chose to show. */
const board = perHouse(() => new Map<string, ChosenPresence>());

export function shownPresence(house: House, userId: string): ShownPresence {
  const chosen = board(house).get(userId);
  return chosen === undefined || chosen === "invisible" ? "offline" : chosen;
}

export function isHere(house: House, userId: string): boolean {
  return board(house).has(userId);
}

/** Null: they left. */
export function setHere(house: House, userId: string, chosen: ChosenPresence | null): void {
  if (chosen === null) board(house).delete(userId);
  else board(house).set(userId, chosen);
}

export function everybodyHere(house: House): Iterable<string> {
  return board(house).keys();
}
