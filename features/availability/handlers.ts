// Sets and shows the hours in which people can be reached, and keeps them on do-not-disturb outside if they wish.
import { type Feature, handle } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { doNotDisturb, needKnown } from "../accounts/access.ts";
import { lookEverywhere, looked } from "../presence/access.ts";
import { doNotDisturbAmong, hoursOf, showDueChanges, toAvailability, toRow } from "./access.ts";
import * as contract from "./contract.ts";
import { availabilityMigrations, upsertAvailability } from "./store.ts";

export const availability: Feature = {
  name: "availability",
  migrations: availabilityMigrations,
  operations: [
    handle(contract.getMyAvailability, async ({ caller, unit }) =>
      toAvailability(await hoursOf(unit.db, caller.userId)),
    ),

    handle(contract.setAvailability, async ({ caller, body, unit }) => {
      const row = await toRow(caller.userId, body, Date.now());
      await unit.write(async (write) => {
        await upsertAvailability(write.db, row);
        lookEverywhere(write, [caller.userId]);
      });
      await looked(unit.house);
      return toAvailability(body);
    }),

    handle(contract.getAvailability, async ({ caller, params, unit }) => {
      await needKnown(unit, caller.userId, params.id);
      return toAvailability(await hoursOf(unit.db, params.id));
    }),
  ],
  jobs: [{ name: "show who is reachable", everyMs: 15_000, run: showDueChanges }],
  answers: [whenAsked(doNotDisturb, ({ db }, userIds) => doNotDisturbAmong(db, userIds))],
};
