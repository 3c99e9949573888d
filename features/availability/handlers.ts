// Sets and shows the hours in which people can be reached, and keeps them on do-not-disturb outside if they wish.
import { notFound } from "../../protocol/errors.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import { sharesServer } from "../members/access.ts";
import { hoursOf, recallDoNotDisturb, show, showDueChanges, toAvailability, toRow } from "./access.ts";
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
      const { house } = unit;
      const row = await toRow(caller.userId, body, Date.now());
      await unit.write((write) => upsertAvailability(write.db, row));
      await show(house, caller.userId);
      return toAvailability(body);
    }),

    handle(contract.getAvailability, async ({ caller, params, unit }) => {
      if (params.id !== caller.userId && !(await sharesServer(unit.db, caller.userId, params.id))) {
        throw notFound();
      }
      return toAvailability(await hoursOf(unit.db, params.id));
    }),
  ],
  jobs: [{ name: "show who is reachable", everyMs: 15_000, run: showDueChanges }],
  opening: recallDoNotDisturb,
};
