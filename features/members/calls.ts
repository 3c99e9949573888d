// Calls of the operations about members, for pages.
import { calling, listing } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const getUser = calling<typeof contract.getUser>("GET", "/users/{id}");
export const listMembers = listing<typeof contract.listMembers>("GET", "/servers/{id}/members");
export const leaveServer = calling<typeof contract.leaveServer>("DELETE", "/servers/{id}/members/@me");
export const kickMember = calling<typeof contract.kickMember>("DELETE", "/servers/{id}/members/{userID}");
export const listBans = listing<typeof contract.listBans>("GET", "/servers/{id}/bans");
export const banUser = calling<typeof contract.banUser>("PUT", "/servers/{id}/bans/{userID}");
export const unbanUser = calling<typeof contract.unbanUser>("DELETE", "/servers/{id}/bans/{userID}");
