// Remembers which subscribers want every message of a server or channel, so that a post queries no members.
import type { Db } from "../../server/database/database.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { selectLevelAll, type Told } from "../notifications/access.ts";

/**
 * Sorted ids of people by server or channel id. People who no longer want it stay until the next start, at the cost of
 * reading their settings for each message.
 */
const wanting = perHouse("cache", () => new Map<string, string[]>());

/** Called before a subscription is written, with its person's settings as they are. */
export async function recallWanting(house: House, db: Db, userIds: readonly string[]): Promise<void> {
  for (const { user_id, target_id } of await selectLevelAll(db, userIds))
    noteWanting(house, user_id, target_id);
}

/** Called before the setting is committed, so that every message is queued for the person from its commit on. */
export function noteWanting(house: House, userId: string, targetId: string): void {
  const ids = wanting(house).get(targetId);
  if (!ids) wanting(house).set(targetId, [userId]);
  else {
    const at = firstAbove(ids, userId);
    if (ids[at - 1] !== userId) ids.splice(at, 0, userId);
  }
}

/** True if somebody may want every message of the channel. */
export function isWanted(house: House, { server_id, channel_id }: Told): boolean {
  return wanting(house).has(channel_id) || (server_id !== null && wanting(house).has(server_id));
}

/** Returns the first people after this one who may want every message of the channel. */
export function wantingAfter(
  house: House,
  { server_id, channel_id }: Told,
  after: string,
  limit: number,
): string[] {
  const next = [server_id ?? [], channel_id].flat().flatMap((id) => {
    const ids = wanting(house).get(id) ?? [];
    const start = firstAbove(ids, after);
    return ids.slice(start, start + limit);
  });
  return [...new Set(next)].sort().slice(0, limit);
}

/** Returns the index of the first id above this one. */
function firstAbove(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! > id) high = middle;
    else low = middle + 1;
  }
  return low;
}
