// What other features ask about blocks, and whom one may block.
import { invalidField, notFound } from "../../protocol/errors.ts";
import type { Unit } from "../../server/house/unit.ts";
import { lockUser } from "../accounts/access.ts";
import { sharesServer } from "../members/access.ts";
import { isBlocked } from "./store.ts";

export { blockersAmong } from "./store.ts";

/**
 * Whether the caller blocks this person already. One may know only of people with whom one shares a server, or whom
 * one blocked when one did: 404 for all others.
 */
export async function findBlock(unit: Unit, userId: string, otherId: string): Promise<boolean> {
  if (otherId === userId) throw invalidField("userID", "is you: nobody can block themselves");
  // Two calls of one person take turns: the bound on the number of blocks counts on it.
  await lockUser(unit, userId);
  if (await isBlocked(unit.db, userId, otherId)) return true;
  if (!(await sharesServer(unit.db, userId, otherId))) throw notFound();
  return false;
}
