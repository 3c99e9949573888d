// Members for other features: joining and leaving, and members as others may see them.

import { timeText } from "../../protocol/clock.ts";
import { full, notFound, Refusal } from "../../protocol/errors.ts";
import { lowestIdAt } from "../../protocol/ids.ts";
import { limits } from "../../protocol/limits.ts";
import type { Membership } from "../../server/house/standing.ts";
import { highestIdOf } from "../../server/house/streams.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { serverPlace, serverStream } from "../../server/place.ts";
import { knownAmong, lockUser, usersById } from "../accounts/access.ts";
import type { User } from "../accounts/contract.ts";
import { dropMemberRoles, selectHeldRoles, selectMemberRoles } from "../roles/access.ts";
import { memberCame, memberWent } from "../servers/access.ts";
import { type BansTable, selectBan } from "./bans.ts";
import { type Ban, type Member, memberAdded, memberRemoved } from "./contract.ts";
import {
  countServersOf,
  deleteMember,
  insertMember,
  type selectMembers,
  selectMemberships,
} from "./store.ts";

export {
  isMember,
  type MemberKey,
  membersAmong,
  selectJoined,
  selectJoinedIds,
  selectMembers,
  selectMembersOf,
  selectServersOfEach,
  sharersAmong,
} from "./store.ts";

/**
 * Returns people for a list that outlasts a shared server, as one person may see them. Of people whom that person does
 * not know (any more), only the names are shown; presence and profile texts are for those who do.
 */
export async function usersSeenBy(
  unit: UnitOfWork,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, User>> {
  const users = await usersById(unit, ids);
  const known = await knownAmong(unit, userId, ids);
  for (const [id, user] of users) {
    if (known.has(id)) continue;
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

/** Returns members with their profiles and roles, as every member sees them. */
export async function toMembers(
  unit: UnitOfWork,
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

export async function toBans(unit: UnitOfWork, userId: string, rows: readonly BansTable[]): Promise<Ban[]> {
  const ids = rows.map((row) => row.user_id);
  const users = await usersSeenBy(unit, userId, ids);
  return rows.flatMap(({ user_id, reason, created_at }) => {
    const user = users.get(user_id);
    return user ? [{ user, reason, created_at: timeText(created_at) }] : [];
  });
}

/** Makes a person a member, unless they already are one. Throws banned (403), then conflict (409) as addMember does. */
export async function join(
  unit: UnitOfWork,
  serverId: string,
  userId: string,
  whenBanned = "You are banned from this server.",
): Promise<void> {
  if (await selectBan(unit.db, serverId, userId)) throw new Refusal("banned", whenBanned);
  if (await addMember(unit, serverId, userId)) await memberCame(unit, serverId);
}

/**
 * Inserts the row and emits the event, without counting: a new server starts with one member. Returns false when the
 * person is a member already. Throws conflict (409) when the person is in as many servers as allowed; earlier
 * memberships beyond that stay.
 */
export async function addMember(unit: UnitOfWork, serverId: string, userId: string): Promise<boolean> {
  // With the lock, the second of two concurrent joins counts the first.
  await lockUser(unit, userId);
  const joining = await momentIn(unit, serverId);
  if (!(await insertMember(unit.db, serverId, userId, joining))) return false;
  if ((await countServersOf(unit.db, userId)) > limits.servers_joined_max) {
    throw full("An account can be in", limits.servers_joined_max, "servers", "It has to leave one first.");
  }
  const user = (await usersById(unit, [userId])).get(userId);
  if (!user) throw notFound();
  unit.emit(memberAdded, serverPlace(serverId), {
    user,
    role_ids: [],
    joined_at: timeText(joining.joined_at),
  });
  return true;
}

/** Returns the current time, and an id between the existing messages of the server and those to come. */
async function momentIn(
  unit: UnitOfWork,
  serverId: string,
): Promise<{ joined_at: number; joined_id: string }> {
  await unit.lock(serverStream(serverId));
  const joined_at = Date.now();
  const [now, highest] = [lowestIdAt(joined_at), await highestIdOf(unit.db, serverStream(serverId))];
  return { joined_at, joined_id: highest > now ? highest : now };
}

/** Returns the memberships of these people in these servers, with roles. */
export async function membershipsOf(
  unit: UnitOfWork,
  serverIds: readonly string[],
  userIds: readonly string[],
): Promise<Membership[]> {
  const members = await selectMemberships(unit.db, serverIds, userIds);
  if (members.length === 0) return [];
  const held = Map.groupBy(
    await selectHeldRoles(unit.db, serverIds, userIds),
    (row) => `${row.server_id} ${row.user_id}`,
  );
  return members.map(({ server_id, user_id }) => ({
    serverId: server_id,
    userId: user_id,
    roleIds: (held.get(`${server_id} ${user_id}`) ?? []).map((row) => row.role_id),
  }));
}

export async function removeMember(
  unit: UnitOfWork,
  serverId: string,
  userId: string,
  reason: "left" | "kicked" | "banned",
): Promise<void> {
  await deleteMember(unit.db, serverId, userId);
  await dropMemberRoles(unit, serverId, userId);
  await memberWent(unit, serverId);
  unit.emit(memberRemoved, serverPlace(serverId), { user_id: userId, reason });
}
