// Emits into a person's own stream that the list of their browsers that get pushes has changed.
import type { UnitOfWork } from "../../server/house/unit.ts";
import { personPlace } from "../../server/place.ts";
import { pushSubscriptionsUpdated } from "./contract.ts";

export function emitSubscriptionsUpdated(unit: UnitOfWork, userId: string): void {
  unit.emit(pushSubscriptionsUpdated, personPlace(userId), {});
}
