// Keeps the order of a person's servers, tells it to their devices, and shows it in READY.
import { type Feature, handle } from "../../server/house/feature.ts";
import { personPlace } from "../../server/place.ts";
import { lockUser } from "../accounts/access.ts";
import { selectJoined } from "../members/access.ts";
import * as contract from "./contract.ts";
import { type OrderedMembership, selectOrder, serverOrderMigrations, upsertOrder } from "./store.ts";

export const serverOrder: Feature = {
  name: "server-order",
  migrations: serverOrderMigrations,
  events: [contract.serverOrderUpdated],
  operations: [
    handle(contract.setServerOrder, async ({ caller, body, unit }) => {
      // Serializes the calls of one person, because each emits the whole order.
      await lockUser(unit, caller.userId);
      const present = await selectJoined(unit.db, caller.userId);
      const before = orderOf(present, await selectOrder(unit.db, caller.userId));
      const byServer = new Map(present.map((each) => [each.server_id, each]));
      const named = [...new Set(body.server_ids)].flatMap((id) => byServer.get(id) ?? []);
      const server_ids = orderOf(present, named);
      if (server_ids.join() === before.join()) return;
      await upsertOrder(unit.db, caller.userId, named);
      unit.emit(contract.serverOrderUpdated, personPlace(caller.userId), { server_ids });
    }),
  ],
  readyShapes: contract.readyShapes,
  async readyOfCaller({ db }, { userId }) {
    const present = await selectJoined(db, userId);
    return { server_order: orderOf(present, await selectOrder(db, userId)) };
  },
};

/**
 * Returns the ids of a person's servers: those that they named in order, then the others. `present` is what they are in
 * now, by the time of joining. A membership that ended is not named any more, even if its person came back.
 */
function orderOf(present: readonly OrderedMembership[], named: readonly OrderedMembership[]): string[] {
  const joinedAt = new Map(present.map(({ server_id, joined_at }) => [server_id, joined_at]));
  const first = named.filter(({ server_id, joined_at }) => joinedAt.get(server_id) === joined_at);
  return [...new Set([...first, ...present].map(({ server_id }) => server_id))];
}
