// Operations of the instance's owner and admins on people and servers; the command line shares their actions.
import { timeText } from "../../protocol/clock.ts";
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import { page, pageLength } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { needInstanceAdmin, selectUser } from "../accounts/access.ts";
import { toSharedServer } from "../servers/access.ts";
import {
  type AccountRow,
  actOn,
  changeRole,
  disablePerson,
  enablePerson,
  makeResetLink,
  needPowerOver,
  signOut,
} from "./access.ts";
import { commands } from "./commands.ts";
import * as contract from "./contract.ts";
import { healthOf } from "./health.ts";
import { peopleIn, serversIn, toAccounts } from "./listing.ts";
import { sendTestMail } from "./test-mail.ts";

export const administration: Feature = {
  name: "administration",
  operations: [
    handle(contract.listAccounts, async ({ caller, query, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      const most = pageLength(query.limit, limits.page_max, limits.page_default);
      const people = await peopleIn(unit, query.q ?? "", { after: query.after, most: most + 1 });
      return page(await toAccounts(unit, people.slice(0, most)), people.length > most);
    }),

    handle(contract.updateAccount, async ({ params, body, unit }) =>
      actOn(unit, params.id, async (write, pair) => {
        const isOwners = body.instance_role !== undefined;
        if (isOwners && pair.actor.instance_role !== "owner") throw ownerOnly();
        needPowerOver(pair);
        const did = await update(write, pair.target, body);
        const after = await selectUser(write.db, params.id);
        const [result] = await toAccounts(write, after ? [after] : []);
        return { result, did };
      }),
    ),

    handle(contract.createResetLink, async ({ params, unit }) =>
      actOn(unit, params.id, async (write, pair) => {
        needPowerOver(pair);
        const { url, expiresAt } = await makeResetLink(write, pair.target);
        return { result: { url, expires_at: timeText(expiresAt) }, did: ["reset-link"] };
      }),
    ),

    handle(contract.endSessionsOf, async ({ params, unit }) =>
      actOn(unit, params.id, async (write, pair) => {
        needPowerOver(pair);
        const ended = await signOut(write, pair.target);
        return { result: undefined, did: ended > 0 ? ["end-sessions"] : [] };
      }),
    ),

    handle(contract.listAllServers, async ({ caller, query, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      const most = pageLength(query.limit, limits.page_max, limits.page_default);
      const rows = await serversIn(unit, query.q ?? "", { after: query.after, most: most + 1 });
      return page(
        rows.slice(0, most).map((row) => toSharedServer(unit.house, row)),
        rows.length > most,
      );
    }),

    handle(contract.getHealth, async ({ caller, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      return { checks: await healthOf(unit.house)() };
    }),

    handle(contract.sendTestMail, async ({ caller, unit }) => {
      const { email } = await needInstanceAdmin(unit, caller.userId);
      await sendTestMail(unit, email ?? "");
      unit.house.log.info({ by: caller.userId }, "a test mail was sent");
    }),
  ],
  commands,
};

interface Wish {
  disabled?: boolean | undefined;
  instance_role?: "admin" | "member" | undefined;
}

/** Returns the changes made, by their names on the command line; changes already in place are left out. */
async function update(write: UnitOfWork, user: AccountRow, wish: Wish): Promise<string[]> {
  const did: string[] = [];
  if (wish.instance_role && (await changeRole(write, user, wish.instance_role)))
    did.push(wish.instance_role === "admin" ? "make-admin" : "take-admin");
  if (wish.disabled === true && (await disablePerson(write, user)) !== undefined) did.push("disable");
  if (wish.disabled === false && (await enablePerson(write, user))) did.push("enable");
  return did;
}

function ownerOnly(): Refusal {
  return new Refusal("owner_only", "Only the owner of the instance makes admins and takes that back.");
}
