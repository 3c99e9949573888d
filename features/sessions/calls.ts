// Calls of the operations about sessions, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const register = calling<typeof contract.register>("POST", "/auth/register");
export const login = calling<typeof contract.login>("POST", "/auth/login/password");
export const logout = calling<typeof contract.logout>("POST", "/auth/logout");
export const changePassword = calling<typeof contract.changePassword>("PUT", "/auth/me/password");
export const listSessions = calling<typeof contract.listSessions>("GET", "/auth/sessions");
export const endSession = calling<typeof contract.endSession>("DELETE", "/auth/sessions/{id}");
