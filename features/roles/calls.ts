// Calls of the operations about roles, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const createRole = calling<typeof contract.createRole>("POST", "/servers/{serverID}/roles");
export const updateRole = calling<typeof contract.updateRole>("PATCH", "/servers/{serverID}/roles/{roleID}");
export const deleteRole = calling<typeof contract.deleteRole>("DELETE", "/servers/{serverID}/roles/{roleID}");
export const setMemberRoles = calling<typeof contract.setMemberRoles>(
  "PUT",
  "/servers/{serverID}/members/{userID}/roles",
);
