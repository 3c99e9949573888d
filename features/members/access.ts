// Joining and leaving, for every feature that makes somebody a member or ends it.
import { timeText } from "../../protocol/clock.ts";
import { notFound, Refusal } from "../../protocol/errors.ts";
import type { Unit } from "../../server/unit.ts";
import { usersById } from "../accounts/access.ts";
import type { User } from "../accounts/contract.ts";
import { dropMemberRoles, selectMemberRoles } from "../roles/access.ts";
import { addToMemberCount } from "../servers/access.ts";
import { type Ban, type Member, memberAdded, memberRemoved } from "./contract.ts";
import {
  type BansTable,
  deleteMember,
  insertMember,
  selectBan,
  type selectMembers,
  sharersAmong,
} from "./store.ts";

export { isMember, membersAmong, selectMembers, sharesServer } from "./store.ts";

/**
 * People as this one may see them in a list that outlasts a shared server: of those with whom one shares none (any
 * more), only what names them. What they do and say about themselves is for people who share a server.
 */
export async function usersSeenBy(
  unit: Unit,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, User>> {
  const users = await usersById(unit, ids);
  const near = await sharersAmong(unit.db, userId, ids);
  for (const [id, user] of users) {
    if (near.has(id)) continue;
    users.set(id, {
      ...user,
      bio: "",
      accent_color: null,
      status_text: "",
      presence: "offline",
      badges: [],
    });
  }
  return users;
}

/** With their profiles and roles, as every member sees them. */
export async function toMembers(
  unit: Unit,
  serverId: string,
  rows: readonly Awaited<ReturnType<typeof selectMembers>>[number][],
): Promise<Member[]> {
  const ids = rows.map((row) => row.user_id);
  const users = await usersById(unit, ids);
  const roles = await selectMemberRoles(unit.db, serverId, ids);
  return rows.flatMap(({ user_id, joined_at }) => {
    const user = users.get(user_id);
    return user ? [{ user, role_ids: roles.get(user_id) ?? [], joined_at: timeText(joined_at) }] : [];
  });
}

export async function toBans(unit: Unit, userId: string, rows: readonly BansTable[]): Promise<Ban[]> {
  const ids = rows.map((row) => row.user_id);
  const users = await usersSeenBy(unit, userId, ids);
  return rows.flatMap(({ user_id, reason, created_at }) => {
    const user = users.get(user_id);
    return user ? [{ user, reason, created_at: timeText(created_at) }] : [];
  });
}

/** Makes a person a member, unless they are one already. Throws banned (403). */
export async function join(
  unit: Unit,
  serverId: string,
  userId: string,
  whenBanned = "You are banned from this server.",
): Promise<void> {
  if (await selectBan(unit.db, serverId, userId)) throw new Refusal("banned", whenBanned);
  if (await addMember(unit, serverId, userId)) await addToMemberCount(unit.db, serverId, 1);
}

/** The row and the event, without the count: a new server is born with one member. False when they are one already. */
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
