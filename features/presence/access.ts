// Refreshes presences, here and in every process, and sends changes to those who share a server with the people.
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { shownPresence } from "../accounts/access.ts";
import { Looks } from "./looks.ts";

export const looksOf = perHouse("queue", (house) => new Looks(house));

/** Once the unit is committed, every process refreshes the presence of these people. */
export function lookEverywhere(unit: UnitOfWork, userIds: readonly string[]): void {
  if (userIds.length > 0) unit.tellProcesses("presence", userIds);
}

/** Resolves when this process has done all refreshes requested before. */
export function looked(house: House): Promise<void> {
  return looksOf(house).at([]);
}

export function stateOf(house: House, userId: string, statusText: string) {
  return { user_id: userId, status: shownPresence(house, userId), status_text: statusText };
}
