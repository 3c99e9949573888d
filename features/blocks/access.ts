// Blocks for other features, and which people a person may block.
import { invalidField } from "../../protocol/errors.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Home } from "../../server/place.ts";
import { lockUser, needKnown } from "../accounts/access.ts";
import { isBlocked } from "./store.ts";

export { blockersAmong, selectBlocked, selectBlocks } from "./store.ts";

/** Asks for the home of what two people have in common, where a block between them changes what they may do. */
export const homeOfTwo = question<[userId: string, otherId: string], Home | undefined>("blocks.homeOfTwo");

/**
 * True if the caller already blocks this person. Throws 404 unless the caller knows them or the block exists: the caller
 * may not learn of anybody else.
 */
export async function findBlock(unit: UnitOfWork, userId: string, otherId: string): Promise<boolean> {
  if (otherId === userId) throw invalidField("userID", "is you: nobody can block themselves");
  // Serialises the calls of one person, because the number of blocks is counted before the insert.
  await lockUser(unit, userId);
  if (await isBlocked(unit.db, userId, otherId)) return true;
  await needKnown(unit, userId, otherId);
  return false;
}
