// Roles: named sets of permission bits, ranked by position, given to members.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { allPermissions } from "../../protocol/permissions.ts";
import { color, givenName, id, personalName, position } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

export const role = z
  .object({
    id,
    server_id: id,
    name: z.string(),
    color: z.string(),
    permissions: z.int(),
    position: z.int(),
    is_default: z.boolean(),
  })
  .meta({ id: "Role" });

export const readyShapes = { server: z.object({ roles: z.array(role) }) };

export type Role = z.infer<typeof role>;

const permissions = z.int().min(0).max(allPermissions);
export const roleName = personalName(limits.role_name_max);
const params = z.object({ serverID: id });
const roleParams = z.object({ serverID: id, roleID: id });
const memberParams = z.object({ serverID: id, userID: id });

export const createRole = operation({
  name: "createRole",
  method: "POST",
  path: "/servers/{serverID}/roles",
  summary: "Make a role, ranked below the caller's own",
  caller: "account",
  lane: "write",
  params,
  body: z.object({
    name: roleName,
    color: color.optional(),
    permissions: permissions.optional(),
    position: position.optional(),
  }),
  answers: { 201: { description: "The role", body: role } },
  errors: ["forbidden", "hierarchy", "conflict"],
});

export const listRoles = operation({
  name: "listRoles",
  method: "GET",
  path: "/servers/{serverID}/roles",
  summary: "The roles of a server, highest first",
  caller: "account",
  lane: "read",
  params,
  answers: { 200: { description: "The roles", body: z.array(role) } },
});

export const updateRole = operation({
  name: "updateRole",
  method: "PATCH",
  path: "/servers/{serverID}/roles/{roleID}",
  summary: "Change a role ranked below the caller's own",
  caller: "account",
  lane: "write",
  cost: { worst: 3 },
  params: roleParams,
  body: z.object({
    name: givenName(limits.role_name_max).optional(),
    color: color.optional(),
    permissions: permissions.optional(),
    position: position.optional(),
  }),
  answers: { 200: { description: "The role as it is now", body: role } },
  errors: ["forbidden", "hierarchy"],
});

export const deleteRole = operation({
  name: "deleteRole",
  method: "DELETE",
  path: "/servers/{serverID}/roles/{roleID}",
  summary: "Delete a role ranked below the caller's own; never @everyone",
  caller: "account",
  lane: "write",
  cost: { worst: 20 },
  params: roleParams,
  answers: { 204: { description: "It is gone" } },
  errors: ["forbidden", "hierarchy", "conflict"],
});

export const setMemberRoles = operation({
  name: "setMemberRoles",
  method: "PUT",
  path: "/servers/{serverID}/members/{userID}/roles",
  summary: "Replace the roles of a member",
  caller: "account",
  lane: "write",
  params: memberParams,
  body: z.object({ role_ids: z.array(id).max(limits.member_roles_max) }),
  answers: { 204: { description: "The member has these roles" } },
  errors: ["forbidden", "hierarchy"],
});

export const listMemberRoles = operation({
  name: "listMemberRoles",
  method: "GET",
  path: "/servers/{serverID}/members/{userID}/roles",
  summary: "The roles assigned to a member",
  caller: "account",
  lane: "read",
  params: memberParams,
  answers: { 200: { description: "The roles, highest first", body: z.array(role) } },
});

export const roleCreated = event(kinds.roleCreated, {
  summary: "A role was made",
  data: role,
  happensIn: "server",
  forgets: () => ["rights", "roles", "roles meant"],
});

export const roleUpdated = event(kinds.roleUpdated, {
  summary: "A role changed",
  data: role,
  happensIn: "server",
  // The handler names the members whose permissions change: a new name or colour changes nobody's.
  forgets: () => "*",
  revokes: true,
});

export const roleDeleted = event(kinds.roleDeleted, {
  summary: "A role was deleted",
  data: z.object({ id }),
  happensIn: "server",
  // The handler says whether any member held the role.
  forgets: () => "*",
  revokes: true,
});

export const memberUpdated = event(kinds.memberUpdated, {
  summary: "The roles of a member changed",
  data: z.object({ user_id: id, role_ids: z.array(id) }),
  happensIn: "server",
  forgets: ({ user_id }) => [`standing:${user_id}`],
  revokes: true,
  touches: (data) => [data.user_id],
});
