// Calls of the operations about accounts, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const getMe = calling<typeof contract.getMe>("GET", "/auth/me");
export const updateMe = calling<typeof contract.updateMe>("PATCH", "/auth/me");
