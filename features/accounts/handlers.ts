// The operations on the caller's own profile.
import { notFound } from "../../protocol/errors.ts";
import { renamed } from "../../protocol/renamed.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { changeProfile, lockUser, toMe } from "./access.ts";
import * as contract from "./contract.ts";
import { foldNames } from "./folding.ts";
import { accountMigrations } from "./migrations.ts";
import { isConnected, presenceSoon } from "./online.ts";
import type { UsersTable } from "./store.ts";

export const accounts: Feature = {
  name: "accounts",
  migrations: accountMigrations,
  events: [contract.meUpdated, contract.userUpdated],
  jobs: [foldNames],
  operations: [
    handle(contract.getMe, async ({ caller, unit }) => toMe(unit.house, await self(unit, caller.userId))),

    handle(contract.updateMe, async ({ caller, body, unit }) => {
      const before = await self(unit, caller.userId);
      const after = await changeProfile(unit, before, {
        display_name: renamed("display_name", before.display_name, body.display_name, contract.displayName),
        bio: body.bio === undefined ? before.bio : (body.bio ?? ""),
        accent_color: body.accent_color === undefined ? before.accent_color : body.accent_color,
        status_text: body.status_text === undefined ? before.status_text : (body.status_text ?? ""),
        direct_from: body.direct_from ?? before.direct_from,
      });
      return toMe(unit.house, after);
    }),
  ],
  readyShapes: contract.readyShapes,
  async readyOfCaller(unit, caller) {
    const row = await self(unit, caller.userId);
    const user = toMe(unit.house, row);
    // Before the presence feature has looked at a first socket, its person is still shown as offline.
    if (!isConnected(unit.house, row.id)) user.presence = await presenceSoon(unit, row);
    return { user };
  },
};

/** Returns the caller's row, locked when in a transaction: nobody else changes the profile until the commit. */
async function self(unit: UnitOfWork, userId: string): Promise<UsersTable> {
  const row = await lockUser(unit, userId);
  if (!row) throw notFound();
  return row;
}
