// How a person is seen, told to everybody who shares a server with them.
import type { House } from "../../server/house.ts";
import type { Unit } from "../../server/unit.ts";
import { shownPresence } from "../accounts/access.ts";
import { presenceUpdated } from "./contract.ts";

export async function announce(unit: Unit, userId: string, statusText: string): Promise<void> {
  for (const serverId of await unit.house.rights.serversOf(unit.db, userId)) {
    unit.tell(presenceUpdated, { serverId, audience: "members" }, stateOf(unit.house, userId, statusText));
  }
}

export function stateOf(house: House, userId: string, statusText: string) {
  return { user_id: userId, status: shownPresence(house, userId), status_text: statusText };
}
