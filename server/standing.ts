// A person's standing in a server: member or not, roles, rights. The one question that every access rule starts with.
import { effectivePermissions, type Standing } from "../protocol/permissions.ts";
import type { Db } from "./database/database.ts";
import type { Unit } from "./unit.ts";

export interface RoleRights {
  id: string;
  permissions: number;
  position: number;
  isDefault: boolean;
}

/** Where the facts come from; the feature that knows the members provides it. */
export interface RightsSource {
  owner(db: Db, serverId: string): Promise<string | undefined>;
  roles(db: Db, serverId: string): Promise<RoleRights[]>;
  /** The assigned roles of a member, or undefined when not a member. */
  member(db: Db, serverId: string, userId: string): Promise<string[] | undefined>;
  serversOf(db: Db, userId: string): Promise<string[]>;
}

/** The standing of a person in a server, or undefined when they are not a member (or there is no such server). */
export async function standingOf(
  unit: Unit,
  serverId: string,
  userId: string,
): Promise<Standing | undefined> {
  await unit.lock(serverId);
  const standing = await unit.remember(serverId, `standing:${userId}`, async (db) => {
    const source = unit.house.rights;
    // Inside one remembered version the server's own facts are shared by all its members.
    const [member, server] = [
      await source.member(db, serverId, userId),
      await unit.remember(serverId, "rights", async (db) => ({
        ownerId: await source.owner(db, serverId),
        roles: await source.roles(db, serverId),
      })),
    ];
    return member && server.ownerId ? derive(serverId, userId, server.ownerId, server.roles, member) : null;
  });
  return standing ?? undefined;
}

function derive(
  serverId: string,
  userId: string,
  ownerId: string,
  roles: readonly RoleRights[],
  roleIds: readonly string[],
): Standing {
  const held = roles.filter((role) => role.isDefault || roleIds.includes(role.id));
  const isOwner = ownerId === userId;
  return {
    serverId,
    userId,
    isOwner,
    roleIds,
    bits: effectivePermissions(
      isOwner,
      held.map((role) => role.permissions),
    ),
    rank: isOwner
      ? Number.POSITIVE_INFINITY
      : Math.max(0, ...held.map((role) => (role.isDefault ? 0 : role.position))),
  };
}
