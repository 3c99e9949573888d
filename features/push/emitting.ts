// Emits changes of a person's push subscriptions into their own stream.
import type { UnitOfWork } from "../../server/house/unit.ts";
import { personPlace } from "../../server/place.ts";
import { pushSubscriptionsUpdated } from "./contract.ts";

export function emitSubscriptionsUpdated(unit: UnitOfWork, userId: string): void {
  unit.emit(pushSubscriptionsUpdated, personPlace(userId), {});
}
