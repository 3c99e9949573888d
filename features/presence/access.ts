// Tells a person's presence to everybody who shares a server with them.
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { shownPresence } from "../accounts/access.ts";
import { presenceUpdated } from "./contract.ts";

/** Tells everybody who shares a server with the person. Returns the ids of the servers. */
export async function tellPresence(unit: UnitOfWork, userId: string, statusText: string): Promise<string[]> {
  const serverIds = await unit.house.rights.serversOf(unit, userId);
  unit.tellRound(presenceUpdated, userId, serverIds, stateOf(unit.house, userId, statusText));
  return serverIds;
}

export function stateOf(house: House, userId: string, statusText: string) {
  return { user_id: userId, status: shownPresence(house, userId), status_text: statusText };
}
