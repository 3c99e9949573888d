// A person's standing in a server: membership, roles, rights. The question that every access rule starts with.
import { effectivePermissions, type RoleRights, type Standing } from "../../protocol/permissions.ts";
import { serverStream } from "../place.ts";
import { onceKnown, type Soon } from "./known.ts";
import type { UnitOfWork } from "./unit.ts";

/** A server's owner and roles, which determine the rights of all its members. */
export interface ServerRights {
  ownerId: string;
  roles: readonly RoleRights[];
}

/** A member of a server, with the roles that were given to them. */
export interface Membership {
  serverId: string;
  userId: string;
  roleIds: readonly string[];
}

/**
 * Reads the facts that standings are derived from; the feature with the table of members provides it. Each method is
 * one query for all ids.
 */
export interface RightsSource {
  /** Returns the rights by server id; a server that does not exist is left out. */
  servers(unit: UnitOfWork, serverIds: readonly string[]): Promise<ReadonlyMap<string, ServerRights>>;
  /** Returns the memberships of these people in these servers. */
  members(unit: UnitOfWork, serverIds: readonly string[], userIds: readonly string[]): Promise<Membership[]>;
  /** Returns the ids of the servers that the person is a member of. */
  serversOf(unit: UnitOfWork, userId: string): Promise<string[]>;
}

/** The standing of a person in a server; null when they are not a member (or the server does not exist). */
export function standingOf(unit: UnitOfWork, serverId: string, userId: string): Soon<Standing | null> {
  const home = serverStream(serverId);
  return onceKnown(unit.lock(home), () =>
    unit.remember(home, partOf(userId), async () => {
      const [[member], rights] = [
        await unit.house.rights.members(unit, [serverId], [userId]),
        await rightsIn(unit, serverId),
      ];
      return member && rights ? derive(member, rights) : null;
    }),
  );
}

/** Returns by server id the standings of one person; servers without them are left out. */
export async function standingsOf(
  unit: UnitOfWork,
  serverIds: readonly string[],
  userId: string,
): Promise<ReadonlyMap<string, Standing>> {
  const { rights } = unit.house;
  return unit.rememberEach(serverIds, partOf(userId), async (serverIds) => {
    const members = await rights.members(unit, serverIds, [userId]);
    return derived(members, await rights.servers(unit, serverIds), (member) => member.serverId);
  });
}

/** Returns by user id the standings of these people in the server; people who are not members are left out. */
export async function standingsIn(
  unit: UnitOfWork,
  serverId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const parts = new Map(userIds.map((userId) => [partOf(userId), userId]));
  const standings = await unit.rememberParts(serverStream(serverId), [...parts.keys()], async (missing) => {
    const ids = missing.map((part) => parts.get(part) ?? "");
    const members = await unit.house.rights.members(unit, [serverId], ids);
    const rights = await rightsIn(unit, serverId);
    const found = derived(members, new Map(rights && [[serverId, rights]]), ({ userId }) => partOf(userId));
    return new Map(missing.map((part) => [part, found.get(part) ?? null]));
  });
  return new Map(
    [...standings].flatMap(([part, standing]) => (standing ? [[parts.get(part) ?? "", standing]] : [])),
  );
}

function partOf(userId: string): string {
  return `standing:${userId}`;
}

/** The server's owner and roles are cached once, and shared by the standings of all its members. */
async function rightsIn(unit: UnitOfWork, serverId: string): Promise<ServerRights | null> {
  return unit.remember(
    serverStream(serverId),
    "rights",
    async () => (await unit.house.rights.servers(unit, [serverId])).get(serverId) ?? null,
  );
}

function derived(
  members: readonly Membership[],
  servers: ReadonlyMap<string, ServerRights>,
  keyOf: (member: Membership) => string,
): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const member of members) {
    const rights = servers.get(member.serverId);
    if (rights) standings.set(keyOf(member), derive(member, rights));
  }
  return standings;
}

function derive({ serverId, userId, roleIds }: Membership, { ownerId, roles }: ServerRights): Standing {
  const held = roles.filter((role) => role.isDefault || roleIds.includes(role.id));
  const isOwner = ownerId === userId;
  return {
    home: serverStream(serverId),
    userId,
    isOwner,
    roleIds,
    roles: held,
    bits: effectivePermissions(
      isOwner,
      held.map((role) => role.permissions),
    ),
    rank: isOwner
      ? Number.POSITIVE_INFINITY
      : Math.max(0, ...held.map((role) => (role.isDefault ? 0 : role.position))),
  };
}
