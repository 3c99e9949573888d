// Calls of the operations about administration, for pages.
import { calling, listing } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const listAccounts = listing<typeof contract.listAccounts>("GET", "/admin/users");
export const updateAccount = calling<typeof contract.updateAccount>("PATCH", "/admin/users/{id}");
export const createResetLink = calling<typeof contract.createResetLink>(
  "POST",
  "/admin/users/{id}/reset-link",
);
export const endSessionsOf = calling<typeof contract.endSessionsOf>("DELETE", "/admin/users/{id}/sessions");
export const listAllServers = listing<typeof contract.listAllServers>("GET", "/admin/servers");
export const getHealth = calling<typeof contract.getHealth>("GET", "/admin/health");
export const sendTestMail = calling<typeof contract.sendTestMail>("POST", "/admin/test-mail");
