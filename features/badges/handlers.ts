// Operations of the instance's admins on badges, and reading badges for everybody.
import { full } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import { newId } from "../../server/tokens.ts";
import { needInstanceAdmin } from "../accounts/access.ts";
import { findBadge, findHolder, lockBadges, showBadges, takeFromHolders, toBadge } from "./access.ts";
import * as contract from "./contract.ts";
import {
  type BadgesTable,
  badgeMigrations,
  deleteHolder,
  insertBadge,
  insertHolder,
  markDeleted,
  selectBadges,
  selectBadgesOf,
  selectDeletedBadge,
} from "./store.ts";

export const badges: Feature = {
  name: "badges",
  migrations: badgeMigrations,
  operations: [
    handle(contract.listBadges, async ({ unit }) => (await selectBadges(unit.db)).map(toBadge)),

    handle(contract.createBadge, async ({ caller, body, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      await lockBadges(unit);
      if ((await selectBadges(unit.db)).length >= limits.badges_max) {
        throw full("An instance can have", limits.badges_max, "badges");
      }
      const row: BadgesTable = {
        id: newId(),
        name: body.name,
        description: body.description,
        icon: body.icon,
        color: body.color,
        created_at: Date.now(),
        deleted_at: null,
      };
      await insertBadge(unit.db, row);
      return toBadge(row);
    }),

    handle(contract.deleteBadge, async ({ caller, params, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      const badge = await findBadge(unit, params.id);
      await markDeleted(unit.db, badge.id);
      // Takes the badge from the first holders; the job below takes it from the rest, who may be half the instance.
      await takeFromHolders(unit, badge.id);
    }),

    handle(contract.listBadgesOf, async ({ caller, params, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      const user = await findHolder(unit, params.id);
      return (await selectBadgesOf(unit.db, user.id)).map(toBadge);
    }),

    handle(contract.giveBadge, async ({ caller, params, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      const badge = await findBadge(unit, params.badgeID);
      const user = await findHolder(unit, params.id);
      const held = await selectBadgesOf(unit.db, user.id);
      if (held.some((each) => each.id === badge.id)) return;
      if (held.length >= limits.badges_per_person_max) {
        throw full("One person can hold", limits.badges_per_person_max, "badges", "Take one back first.");
      }
      await insertHolder(unit.db, user.id, badge.id);
      await showBadges(unit, user.id);
    }),

    handle(contract.takeBadge, async ({ caller, params, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      const badge = await findBadge(unit, params.badgeID);
      const user = await findHolder(unit, params.id);
      if (await deleteHolder(unit.db, user.id, badge.id)) await showBadges(unit, user.id);
    }),
  ],
  jobs: [
    {
      name: "take deleted badges from their holders",
      everyMs: 5000,
      async run(house) {
        const badgeId = await selectDeletedBadge(house.database.read);
        if (badgeId === undefined) return false;
        await house.write(async (unit) => {
          await lockBadges(unit, badgeId);
          await takeFromHolders(unit, badgeId);
        });
        return true;
      },
    },
  ],
};
