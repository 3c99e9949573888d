// Emits into a person's own stream that the list of their browsers that get pushes has changed.
import type { Unit } from "../../server/house/unit.ts";
import { personPlace } from "../../server/place.ts";
import { pushSubscriptionsUpdated } from "./contract.ts";

export function emitSubscriptionsUpdated(unit: Unit, userId: string): void {
  unit.emit(pushSubscriptionsUpdated, personPlace(userId), {});
}
