// The rules of rank (R1 to R5): who may create, change, give and take which role, and act on which member.
import { invalidField, notFound, Refusal } from "../../protocol/errors.ts";
import type { RoleRights, Standing } from "../../protocol/permissions.ts";
import { pieces, pieceTurn, rowsAtOnce } from "../../server/house/pieces.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { idOf, serverStream } from "../../server/place.ts";
import type { Role } from "./contract.ts";
import { countRoles, type RolesTable, replaceMemberRoles, selectRoles } from "./store.ts";

export { selectHeldRoles, selectHolders, selectMemberRoles } from "./store.ts";

export function toRole(row: RolesTable): Role {
  return { ...row, is_default: row.is_default === 1 };
}

export async function rolesOf(unit: UnitOfWork, serverId: string): Promise<Role[]> {
  return unit.remember(serverStream(serverId), "roles", async (db) =>
    (await selectRoles(db, [serverId])).map(toRole),
  );
}

/** Returns the roles by server; several servers are read with one query if they have few roles. */
export function rolesIn(
  unit: UnitOfWork,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Role[]>> {
  return unit.rememberEach(serverIds, "roles", async (serverIds) => {
    // A single server takes one query in any case.
    const counts = serverIds.length > 1 ? await countRoles(unit.db, serverIds) : new Map<string, number>();
    const roles = new Map<string, Role[]>();
    for (const some of pieces(serverIds, (id) => counts.get(id) ?? 0, rowsAtOnce)) {
      if (roles.size > 0) await pieceTurn();
      const rows = Map.groupBy(await selectRoles(unit.db, some), (row) => row.server_id);
      for (const id of some) roles.set(id, (rows.get(id) ?? []).map(toRole));
    }
    return roles;
  });
}

/** Returns the roles and their permission bits by server, for standings. */
export async function rightsOfRoles(
  unit: UnitOfWork,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, RoleRights[]>> {
  const roles = await rolesIn(unit, serverIds);
  return new Map(
    [...roles].map(([id, roles]) => [
      id,
      roles.map(({ is_default, ...role }) => ({ ...role, isDefault: is_default })),
    ]),
  );
}

/** Removes all roles of a person in a server that they left. */
export async function dropMemberRoles(unit: UnitOfWork, serverId: string, userId: string): Promise<void> {
  await replaceMemberRoles(unit.db, serverId, userId, []);
}

export async function findRole(unit: UnitOfWork, serverId: string, roleId: string): Promise<Role> {
  const role = (await rolesOf(unit, serverId)).find((each) => each.id === roleId);
  if (!role) throw notFound();
  return role;
}

/** R2: a role must rank below the caller; @everyone has rank 0 and may be edited by everybody who may edit roles. */
export function needRankAbove(standing: Standing, position: number): void {
  if (standing.rank <= position) throw new Refusal("hierarchy", "That role does not rank below yours.");
}

/** R3: bits that are added to a role must be the caller's own. */
export function needOwnBits(standing: Standing, before: number, after: number): void {
  if (after & ~before & ~standing.bits) {
    throw new Refusal("forbidden", "You can give only permissions that you hold yourself.");
  }
}

/** The target must rank below the caller; nobody may act on the owner. */
export function needRankAbovePerson(standing: Standing, target: Standing): void {
  if (target.isOwner || standing.rank <= target.rank) {
    throw new Refusal("hierarchy", "That person does not rank below you.");
  }
}

/**
 * R4: checks whether the caller may change the target's roles to `wanted`. Returns the role ids, sorted and without
 * duplicates.
 */
export async function checkAssignment(
  unit: UnitOfWork,
  standing: Standing,
  target: Standing,
  wanted: readonly string[],
): Promise<string[]> {
  const roles = new Map((await rolesOf(unit, idOf(standing.home))).map((role) => [role.id, role]));
  const isSelf = target.userId === standing.userId;
  if (target.isOwner ? !standing.isOwner : !isSelf && standing.rank <= target.rank) {
    throw new Refusal("hierarchy", "That person does not rank below you.");
  }
  wanted.forEach((id, i) => {
    if (!roles.has(id)) throw invalidField(`role_ids.${i}`, "is not a role of this server");
  });
  const after = [...new Set(wanted)].filter((id) => !roles.get(id)?.is_default).sort();
  const changed = [
    ...after.filter((id) => !target.roleIds.includes(id)),
    ...target.roleIds.filter((id) => !after.includes(id)),
  ];
  for (const id of changed) needRankAbove(standing, roles.get(id)?.position ?? 0);
  return after;
}
