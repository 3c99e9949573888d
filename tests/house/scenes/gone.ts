// Sets how long a person counts as connected after their last socket closed: ten seconds in production.
import { goneAfterMs } from "../../../server/house/connections.ts";
import type { TestHouse } from "../open/engines.ts";

/** From now on a person shows as offline this many milliseconds after their last socket closed. */
export function goneAfter({ all }: TestHouse, ms: number): void {
  for (const { house } of all) {
    const { connections, isShared } = house;
    const lateMs = ms - goneAfterMs;
    // Houses with a single process share the object that says there is no other.
    if (isShared) Object.assign(connections.elsewhere, { lateMs });
    else connections.elsewhere = { ...connections.elsewhere, lateMs };
  }
}
