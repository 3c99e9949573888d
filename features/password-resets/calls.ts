// Calls of the operations about password resets, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const forgotPassword = calling<typeof contract.forgotPassword>("POST", "/auth/password/forgot");
export const resetPassword = calling<typeof contract.resetPassword>("POST", "/auth/password/reset");
