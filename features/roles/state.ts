// A client's copy of the roles of a server, their holders, and the user's own permissions.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import type { RoleHolder } from "../../protocol/overrides.ts";
import { effectivePermissions } from "../../protocol/permissions.ts";
import { without } from "../../protocol/unchanged.ts";
import type { Role } from "./contract.ts";
import { memberUpdated, roleCreated, roleDeleted, roleUpdated } from "./events.ts";

/** The default colour of new roles, which stands for no colour. */
export const plainColor = "#99aab5";

/** The roles of a server, highest first. */
export function rolesAfter(roles: readonly Role[], frame: ServerFrame): readonly Role[] {
  if (is(frame, roleCreated) || is(frame, roleUpdated)) {
    return [...roles.filter((role) => role.id !== frame.data.id), frame.data].sort(byRank);
  }
  if (is(frame, roleDeleted)) return without(roles, (role) => role.id === frame.data.id);
  return roles;
}

/** The roles that one member holds. */
export function heldAfter(roleIds: readonly string[], userId: string, frame: ServerFrame): readonly string[] {
  if (is(frame, memberUpdated) && frame.data.user_id === userId) return frame.data.role_ids;
  return is(frame, roleDeleted) ? without(roleIds, (id) => id === frame.data.id) : roleIds;
}

/** Returns a member with the roles that they hold, @everyone among them. */
export function roleHolder(
  userId: string,
  server: { owner_id: string; roles: readonly Role[] },
  roleIds: readonly string[],
): RoleHolder {
  const held = server.roles.filter((role) => role.is_default || roleIds.includes(role.id));
  const roles = held.map(({ id, permissions, is_default }) => ({ id, permissions, isDefault: is_default }));
  return { userId, isOwner: server.owner_id === userId, roles };
}

/** No event carries permissions, because they differ by listener: a client computes them from the roles. */
export function permissionsBy({ isOwner, roles }: RoleHolder): number {
  return effectivePermissions(
    isOwner,
    roles.map((role) => role.permissions),
  );
}

function byRank(one: Role, other: Role): number {
  return other.position - one.position || (one.id < other.id ? -1 : 1);
}
