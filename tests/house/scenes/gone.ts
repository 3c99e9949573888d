// How long a person who is gone counts as connected: ten seconds in a server, and what a test says in tests.
import { goneAfterMs } from "../../../server/house/connections.ts";
import type { TestHouse } from "../open/engines.ts";

/** From now on a person shows as offline so many milliseconds after their last socket went. */
export function goneAfter({ all }: TestHouse, ms: number): void {
  for (const { house } of all) {
    const { connections, isShared } = house;
    const lateMs = ms - goneAfterMs;
    // Houses that are alone share what says that there is no other process.
    if (isShared) Object.assign(connections.elsewhere, { lateMs });
    else connections.elsewhere = { ...connections.elsewhere, lateMs };
  }
}
