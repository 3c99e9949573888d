// The set of people with subscriptions: messages that concern none of them are not queued.
import type { Db } from "../../server/database/database.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { pieces } from "../../server/house/pieces.ts";
import { idOf, type Place } from "../../server/place.ts";
import type { SharedMessage } from "../messages/contract.ts";
import { selectSubscribers, selectSubscriptionIds } from "./store.ts";
import { isWanted, recallWanting } from "./wanting.ts";

/** People who unsubscribed their last browser stay in the set until the next start, which costs only a lookup. */
const subscribers = perHouse("cache", () => new Set<string>());

/** People whose settings are read at once. */
const recalledAtOnce = 200;

export async function recallSubscribers(house: House): Promise<void> {
  const { read } = house.database;
  for (const some of pieces(await selectSubscribers(read), () => 1, recalledAtOnce)) {
    for (const id of some) noteSubscriber(house, id);
    await recallWanting(house, read, some);
  }
}

/** Adds a person who may have subscribed, or changed their settings, in another process. */
export async function recallSubscriber(house: House, db: Db, userId: string): Promise<void> {
  if ((await selectSubscriptionIds(db, [userId])).length === 0) return;
  noteSubscriber(house, userId);
  await recallWanting(house, db, [userId]);
}

/** Called before the subscription is written, so that mentions count from its commit on. */
export function noteSubscriber(house: House, userId: string): void {
  subscribers(house).add(userId);
}

export function isSubscriber(house: House, userId: string): boolean {
  return subscribers(house).has(userId);
}

/** True if a new message may concern a subscriber. `place` is where it was posted. */
export function concernsSubscriber(house: House, { streams }: Place, message: SharedMessage): boolean {
  if (message.server_id === null) return streams.some((stream) => isSubscriber(house, idOf(stream)));
  const { everyone, role_ids, user_ids } = message.mentions;
  if (everyone || role_ids.length > 0 || user_ids.some((id) => isSubscriber(house, id))) return true;
  return isWanted(house, { server_id: message.server_id, channel_id: message.channel_id });
}
