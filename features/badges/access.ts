// Badges and their holders, locked in one order, and how a person's badges get into their profile.
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

/** The badge, locked until the unit commits. */
export async function findBadge(unit: UnitOfWork, id: string): Promise<BadgesTable> {
  await lockBadges(unit, id);
  const badge = await selectBadge(unit.db, id);
  if (!badge) throw notFound();
  return badge;
}

/**
 * Locks one badge, or all. Badges are locked before people, so that two units never wait for each other in a circle.
 */
export async function lockBadges(unit: UnitOfWork, id?: string): Promise<void> {
  if (unit.locksRows) await selectBadgesForUpdate(unit.db, id);
}

/** The person, whose row is locked until the unit commits. */
export async function findHolder(unit: UnitOfWork, userId: string) {
  const user = await lockUser(unit, userId);
  if (!user) throw notFound();
  return user;
}

/** Copies a person's badges into their profile, and tells the profile to everybody who sees it. */
export async function showBadges(unit: UnitOfWork, userId: string): Promise<void> {
  const user = await findHolder(unit, userId);
  await setBadges(unit, user, (await selectBadgesOf(unit.db, userId)).map(toBadge));
}

/** Holders in one commit, which other writers wait for. */
const holdersAtOnce = 50;
/** Holders after which other work has its turn. */
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
