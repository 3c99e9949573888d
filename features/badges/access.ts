// Lookups of badges and their holders, with a fixed lock order, and copies of badges in profiles.
import { notFound } from "../../protocol/errors.ts";
import { nextTurn } from "../../server/house/pieces.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lockUser, setBadges } from "../accounts/access.ts";
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

/** Returns the badge, locked until the unit commits. */
export async function findBadge(unit: UnitOfWork, id: string): Promise<BadgesTable> {
  await lockBadges(unit, id);
  const badge = await selectBadge(unit.db, id);
  if (!badge) throw notFound();
  return badge;
}

/** Locks one badge, or all. Badges are locked before people, so that units do not deadlock. */
export async function lockBadges(unit: UnitOfWork, id?: string): Promise<void> {
  if (unit.locksRows) await selectBadgesForUpdate(unit.db, id);
}

/** Returns the person, whose row is locked until the unit commits. */
export async function findHolder(unit: UnitOfWork, userId: string) {
  const user = await lockUser(unit, userId);
  if (!user) throw notFound();
  return user;
}

/** Copies a person's badges into their profile, and sends the profile to everybody who sees it. */
export async function showBadges(unit: UnitOfWork, userId: string): Promise<void> {
  const user = await findHolder(unit, userId);
  await setBadges(unit, user, (await selectBadgesOf(unit.db, userId)).map(toBadge));
}

/** Holders per commit, for which other writers wait. */
const holdersAtOnce = 50;
/** Holders per turn, so that other work is not held up. */
const holdersPerTurn = 5;

/**
 * Takes a deleted badge from some of its holders, and deletes its row after the last. Returns whether there are more.
 */
export async function takeFromHolders(unit: UnitOfWork, badgeId: string): Promise<boolean> {
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
