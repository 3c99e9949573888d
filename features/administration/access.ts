// Operator actions on accounts: who may do what to whom, with the side effects; for the operations and the command
// line.
import { notFound, Refusal } from "../../protocol/errors.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import {
  disableAccount,
  enableAccount,
  lockUser,
  needInstanceAdmin,
  type selectUser,
  setInstanceRole,
} from "../accounts/access.ts";
import {
  makeLink,
  type ResetLink,
  voidLinks,
  voidLinksByAdmins,
  voidLinksMadeBy,
} from "../password-resets/access.ts";
import { endSessions } from "../sessions/access.ts";

export type AccountRow = NonNullable<Awaited<ReturnType<typeof selectUser>>>;

/** An admin of the instance, and the person on whom they act, whose account is locked. */
interface Pair {
  actor: AccountRow;
  target: AccountRow;
}

/**
 * Runs an admin's action on a person, in a transaction of its own. After the commit, a log line says who did what to
 * whom.
 */
export async function actOn<T>(
  unit: UnitOfWork,
  targetId: string,
  act: (write: UnitOfWork, pair: Pair) => Promise<{ result: T; did: readonly string[] }>,
): Promise<T> {
  const by = unit.caller?.userId ?? "";
  const { result, did } = await unit.write(async (write) => {
    const actor = await needInstanceAdmin(write, by);
    const target = await lockUser(write, targetId);
    if (!target || target.is_bot === 1) throw notFound();
    return act(write, { actor, target });
  });
  for (const what of did) logAct(unit.house, by, targetId, what);
  return result;
}

/** Throws conflict (409) for oneself, and hierarchy (403) for an admin who acts on the owner or another admin. */
export function needPowerOver({ actor, target }: Pair): void {
  if (actor.id === target.id) {
    throw new Refusal("conflict", "Nobody does this to themself. Another admin can, or the command line.");
  }
  if (actor.instance_role !== "owner" && target.instance_role !== "member") {
    throw new Refusal("hierarchy", "Only the owner of the instance can do this to one of its admins.");
  }
}

export function logAct({ log }: House, by: string, whom: string, did: string): void {
  log.info({ by, whom, did }, "the operator acted on an account");
}

/**
 * Ends all sessions and links, and closes every way of signing in. Returns how many sessions ended; undefined when the
 * account is disabled already.
 */
export async function disablePerson(unit: UnitOfWork, user: AccountRow): Promise<number | undefined> {
  if (user.disabled_at !== null) return undefined;
  await disableAccount(unit, user.id);
  await voidLinks(unit, user.id);
  await voidLinksMadeBy(unit, user.id);
  return signOut(unit, user);
}

/** Returns false when the account is not disabled. */
export async function enablePerson(unit: UnitOfWork, user: AccountRow): Promise<boolean> {
  if (user.disabled_at === null) return false;
  await enableAccount(unit, user.id);
  return true;
}

/** Returns false when the person has this role already. The role of the instance's owner cannot change (409). */
export async function changeRole(
  unit: UnitOfWork,
  user: AccountRow,
  role: "admin" | "member",
): Promise<boolean> {
  if (user.instance_role === "owner") {
    throw new Refusal("conflict", `${user.username} owns the instance; that cannot be taken.`);
  }
  if (user.instance_role === role) return false;
  await setInstanceRole(unit, user, role);
  // Admins had power over a member, and have none over another admin.
  await (role === "member" ? voidLinksMadeBy : voidLinksByAdmins)(unit, user.id);
  return true;
}

/** Returns a link that sets a new password, once. Throws conflict (409) while the account is disabled. */
export async function makeResetLink(unit: UnitOfWork, user: AccountRow): Promise<ResetLink> {
  const link = await makeLink(unit, user.id);
  if (!link) throw new Refusal("conflict", `${user.username} is disabled: enable the account first.`);
  return link;
}

/** Returns how many sessions ended. */
export function signOut(unit: UnitOfWork, user: AccountRow): Promise<number> {
  return endSessions(unit, user.id, () => true);
}
