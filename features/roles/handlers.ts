// Operations on roles.

import { full, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { readsAsCall } from "../../protocol/names.ts";
import { defaultPermissions } from "../../protocol/permissions.ts";
import { renamed } from "../../protocol/renamed.ts";
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { standingOf } from "../../server/house/standing.ts";
import { leave, sweepOf } from "../../server/house/sweeping.ts";
import { serverPlace } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { findMembership, furnishServer, need } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { checkAssignment, findRole, needOwnBits, needRankAbove, rolesIn, rolesOf, toRole } from "./access.ts";
import * as contract from "./contract.ts";
import { plainColor } from "./state.ts";
import {
  deleteRole,
  deleteRolesOf,
  insertRole,
  isHeld,
  type RolesTable,
  replaceMemberRoles,
  roleMigrations,
  updateRole,
} from "./store.ts";

const holderKey = ["server_id", "user_id", "role_id"] as const;
const holdersOfRole = sweepOf("member_roles", "role_id", holderKey, ["user_id"]);
const holdersInServer = sweepOf("member_roles", "server_id", holderKey);

export const roles: Feature = {
  name: "roles",
  migrations: roleMigrations,
  events: [contract.roleCreated, contract.roleUpdated, contract.roleDeleted, contract.memberUpdated],
  operations: [
    handle(contract.createRole, async ({ caller, params, body, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.serverID);
      need(standing, "MANAGE_SERVER");
      const row: RolesTable = {
        id: newId(),
        server_id: params.serverID,
        name: body.name,
        color: body.color ?? plainColor,
        permissions: body.permissions ?? 0,
        position: body.position ?? Math.max(0, Math.min(1, standing.rank - 1)),
        is_default: 0,
      };
      needRankAbove(standing, row.position);
      needOwnBits(standing, 0, row.permissions);
      if ((await rolesOf(unit, params.serverID)).length >= limits.roles_per_server_max) {
        throw full("A server can have", limits.roles_per_server_max, "roles");
      }
      await insertRole(unit.db, row);
      unit.emit(contract.roleCreated, serverPlace(params.serverID), toRole(row));
      return toRole(row);
    }),

    handle(contract.listRoles, async ({ caller, params, unit }) => {
      await findMembership(unit, caller.userId, params.serverID);
      return rolesOf(unit, params.serverID);
    }),

    handle(contract.updateRole, async ({ caller, params, body, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.serverID);
      const before = await findRole(unit, params.serverID, params.roleID);
      need(standing, "MANAGE_SERVER");
      const after = {
        ...before,
        name: nameAfter(before, body.name),
        color: body.color ?? before.color,
        permissions: body.permissions ?? before.permissions,
        // @everyone stays at the bottom.
        position: before.is_default ? before.position : (body.position ?? before.position),
      };
      if (!before.is_default) {
        needRankAbove(standing, before.position);
        needRankAbove(standing, after.position);
      }
      needOwnBits(standing, before.permissions, after.permissions);
      if (JSON.stringify(after) === JSON.stringify(before)) return before;
      await updateRole(unit.db, { ...after, is_default: before.is_default ? 1 : 0 });
      const touched = after.permissions === before.permissions ? [] : [holdersOf(before)];
      unit.emit(contract.roleUpdated, serverPlace(params.serverID), after, touched);
      return after;
    }),

    handle(contract.deleteRole, async ({ caller, params, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.serverID);
      const role = await findRole(unit, params.serverID, params.roleID);
      need(standing, "MANAGE_SERVER");
      if (role.is_default) throw new Refusal("conflict", "The role @everyone cannot be deleted.");
      needRankAbove(standing, role.position);
      // The holders of a deleted role cannot be listed, so the event touches everybody if there were any.
      const isHeldBySome = await isHeld(unit.db, role.id);
      await deleteRole(unit.db, role.id);
      if (isHeldBySome) await leave(unit, holdersOfRole, [role.id]);
      unit.emit(
        contract.roleDeleted,
        serverPlace(params.serverID),
        { id: role.id },
        isHeldBySome ? ["*"] : [],
      );
    }),

    handle(contract.setMemberRoles, async ({ caller, params, body, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.serverID);
      const target = await standingOf(unit, params.serverID, params.userID);
      if (!target) throw notFound();
      need(standing, "MANAGE_SERVER");
      const after = await checkAssignment(unit, standing, target, body.role_ids);
      if (after.join() === [...target.roleIds].sort().join()) return;
      await replaceMemberRoles(unit.db, params.serverID, params.userID, after);
      unit.emit(contract.memberUpdated, serverPlace(params.serverID), {
        user_id: params.userID,
        role_ids: after,
      });
    }),

    handle(contract.listMemberRoles, async ({ caller, params, unit }) => {
      await findMembership(unit, caller.userId, params.serverID);
      const target = await standingOf(unit, params.serverID, params.userID);
      if (!target) throw notFound();
      return (await rolesOf(unit, params.serverID)).filter((role) => target.roleIds.includes(role.id));
    }),
  ],
  eventHandlers: [
    when(serverDeleted, async (unit, _, { id }) => {
      await deleteRolesOf(unit.db, id);
      await leave(unit, holdersInServer, [id]);
    }),
  ],
  answers: [whenAsked(furnishServer, (unit, serverId) => insertRole(unit.db, everyoneIn(serverId)))],
  sweeps: [holdersOfRole, holdersInServer],
  readyShapes: contract.readyShapes,
  async ready(unit, _caller, serverIds) {
    const roles = await rolesIn(unit, serverIds);
    return new Map(serverIds.map((id) => [id, { roles: roles.get(id) ?? [] }]));
  },
};

function everyoneIn(serverId: string): RolesTable {
  return {
    id: newId(),
    server_id: serverId,
    name: "@everyone",
    color: plainColor,
    permissions: defaultPermissions,
    position: 0,
    is_default: 1,
  };
}

/** The holders of the role, in the notation of `touches`. */
function holdersOf(role: contract.Role): string {
  return role.is_default ? "*" : `role:${role.id}`;
}

/** Throws invalid_request for a name that no role may have. @everyone keeps its name, and accepts it when sent. */
function nameAfter(before: contract.Role, wished: string | undefined): string {
  if (before.is_default && wished !== undefined && readsAsCall(wished)) return before.name;
  const name = renamed("name", before.name, wished, contract.roleName);
  return before.is_default ? before.name : name;
}
