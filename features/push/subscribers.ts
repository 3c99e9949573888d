// Who has subscribed a browser: mentions of nobody but others take no place in the queue.
import { type House, perHouse } from "../../server/house/house.ts";
import type { SharedMessage } from "../messages/contract.ts";
import { selectSubscribers } from "./store.ts";

/** Whoever let go of their last browser stays among them until the next start, which costs nothing but a look. */
const subscribers = perHouse(() => new Set<string>());

export async function recallSubscribers(house: House): Promise<void> {
  for (const id of await selectSubscribers(house.database.read)) noteSubscriber(house, id);
}

/** Before the subscription is written: from its commit on, mentions count. */
export function noteSubscriber(house: House, userId: string): void {
  subscribers(house).add(userId);
}

/** Whether somebody may have to be told of a message with these mentions. */
export function isHeard(house: House, { everyone, role_ids, user_ids }: SharedMessage["mentions"]): boolean {
  return everyone || role_ids.length > 0 || user_ids.some((id) => subscribers(house).has(id));
}
