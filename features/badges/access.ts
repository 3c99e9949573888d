// Who may hand out badges, and how what somebody holds comes into their profile.
import { notFound, Refusal } from "../../protocol/errors.ts";
import { nextTurn } from "../../server/house/pieces.ts";
import type { Unit } from "../../server/house/unit.ts";
import { lockUser, selectUser, setBadges } from "../accounts/access.ts";
import type { Badge } from "../accounts/contract.ts";
import {
  type BadgesTable,
  deleteHolder,
  removeBadge,
  selectBadge,
  selectBadgesForUpdate,
  selectBadgesOf,
  selectHolders,
} from "./store.ts";

/** 403 for everybody but the owner and the admins of the instance, before anything else is looked up. */
export async function needInstanceAdmin(unit: Unit, userId: string): Promise<void> {
  const role = (await selectUser(unit.db, userId))?.instance_role;
  if (role !== "owner" && role !== "admin") {
    throw new Refusal("forbidden", "Only the owner and the admins of this instance can do this.");
  }
}

/** The badge, which nobody else deletes or hands out until the unit commits. */
export async function findBadge(unit: Unit, id: string): Promise<BadgesTable> {
  await lockBadges(unit, id);
  const badge = await selectBadge(unit.db, id);
  if (!badge) throw notFound();
  return badge;
}

/** One badge, or the whole catalogue. Always before the people, so that two never wait for each other in a circle. */
export async function lockBadges(unit: Unit, id?: string): Promise<void> {
  if (unit.locksRows) await selectBadgesForUpdate(unit.db, id);
}

/** Somebody whose badges nobody else changes until the unit commits. */
export async function findHolder(unit: Unit, userId: string) {
  const user = await lockUser(unit, userId);
  if (!user) throw notFound();
  return user;
}

/** Copies what somebody holds into the profile that everybody sees, and tells those who see them. */
export async function showBadges(unit: Unit, userId: string): Promise<void> {
  const user = await findHolder(unit, userId);
  await setBadges(unit, user, (await selectBadgesOf(unit.db, userId)).map(toBadge));
}

/** In one commit, which others wait for. */
const holdersAtOnce = 50;
/** Holders after which everybody else has their turn. */
const holdersPerTurn = 5;

/** Takes a deleted badge from some of its holders, and its row away after the last. Answers whether there are more. */
export async function takeFromHolders(unit: Unit, badgeId: string): Promise<boolean> {
  const holders = await selectHolders(unit.db, badgeId, holdersAtOnce);
  for (const [i, userId] of holders.entries()) {
    await deleteHolder(unit.db, userId, badgeId);
    await showBadges(unit, userId);
    if (i % holdersPerTurn === holdersPerTurn - 1) await nextTurn();
  }
  if (holders.length === holdersAtOnce) return true;
  await removeBadge(unit.db, badgeId);
  return false;
}

export function toBadge({ id, name, description, icon, color }: BadgesTable): Badge {
  return { id, name, description, icon, color };
}
