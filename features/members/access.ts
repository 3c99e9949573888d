// Joining and leaving, for every feature that makes somebody a member or ends it.
import { timeText } from "../../protocol/clock.ts";
import { notFound, Refusal } from "../../protocol/errors.ts";
import type { Unit } from "../../server/unit.ts";
import { usersById } from "../accounts/access.ts";
import { dropMemberRoles } from "../roles/access.ts";
import { addToMemberCount } from "../servers/access.ts";
import { memberAdded, memberRemoved } from "./contract.ts";
import { deleteMember, insertMember, isBanned } from "./store.ts";

export { isMember, membersAmong, selectMembers, sharesServer } from "./store.ts";

/** Makes a person a member. False when they are one already. Throws banned (403). */
export async function join(unit: Unit, serverId: string, userId: string): Promise<boolean> {
  if (await isBanned(unit.db, serverId, userId))
    throw new Refusal("banned", "You are banned from this server.");
  if (!(await addMember(unit, serverId, userId))) return false;
  await addToMemberCount(unit.db, serverId, 1);
  return true;
}

/** The row and the event, without the count: a new server is born with one member. */
export async function addMember(unit: Unit, serverId: string, userId: string): Promise<boolean> {
  const joinedAt = Date.now();
  if (!(await insertMember(unit.db, serverId, userId, joinedAt))) return false;
  const user = (await usersById(unit, [userId])).get(userId);
  if (!user) throw notFound();
  unit.emit(memberAdded, serverId, { user, role_ids: [], joined_at: timeText(joinedAt) });
  return true;
}

export async function removeMember(
  unit: Unit,
  serverId: string,
  userId: string,
  reason: "left" | "kicked" | "banned",
): Promise<void> {
  await deleteMember(unit.db, serverId, userId);
  await dropMemberRoles(unit, serverId, userId);
  await addToMemberCount(unit.db, serverId, -1);
  unit.emit(memberRemoved, serverId, { user_id: userId, reason });
}
