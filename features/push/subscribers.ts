// Remembers which people have subscriptions: mentions of others are not queued.
import { type House, perHouse } from "../../server/house/house.ts";
import type { SharedMessage } from "../messages/contract.ts";
import { selectSubscribers } from "./store.ts";

/** People who unsubscribed their last browser stay in the set until the next start, which costs only a look-up. */
const subscribers = perHouse(() => new Set<string>());

export async function recallSubscribers(house: House): Promise<void> {
  for (const id of await selectSubscribers(house.database.read)) noteSubscriber(house, id);
}

/** Called before the subscription is written: from its commit on, mentions count. */
export function noteSubscriber(house: House, userId: string): void {
  subscribers(house).add(userId);
}

/** Whether a message with these mentions may concern a subscriber. */
export function concernsSubscriber(
  house: House,
  { everyone, role_ids, user_ids }: SharedMessage["mentions"],
): boolean {
  return everyone || role_ids.length > 0 || user_ids.some((id) => subscribers(house).has(id));
}
