// Pushes of other features: queued with the id of what they are about, and asked for when they are sent.
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Told } from "../notifications/access.ts";
import { levelsIn } from "../notifications/access.ts";
import type { Notice } from "./contract.ts";
import { queueDeliveries } from "./fan-out.ts";
import { isReachable, undisturbedAmong } from "./recipients.ts";

/** Asks for the notices about something that is no message, by person: for those of these people who get one now. */
export const otherNotices = question<
  [aboutId: string, userIds: readonly string[]],
  ReadonlyMap<string, Notice>
>("push.otherNotices");

/** Queues a delivery for each browser of these people, in the unit's commit. `aboutId` comes with the question. */
export function queueNotices(unit: UnitOfWork, aboutId: string, userIds: readonly string[]): Promise<void> {
  const reached = userIds.map((userId) => ({ messageId: aboutId, userId, isMention: true }));
  return queueDeliveries(unit, reached);
}

/** Returns those of these people who are pushed to when somebody calls them by name in this channel. */
export async function calledAmong(
  unit: UnitOfWork,
  where: Told,
  callerId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const undisturbed = await undisturbedAmong(unit, callerId, userIds);
  const levels = await levelsIn(unit.db, where, userIds);
  const called = new Set<string>();
  for (const id of userIds) {
    if (undisturbed.has(id) || levels.get(id) === "none") continue;
    if (await isReachable(unit, id)) called.add(id);
  }
  return called;
}
