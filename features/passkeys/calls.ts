// Calls of the operations about passkeys, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const beginPasskey = calling<typeof contract.beginPasskey>("POST", "/auth/webauthn/register/begin");
export const addPasskey = calling<typeof contract.addPasskey>("POST", "/auth/webauthn/register/finish");
export const beginPasskeyLogin = calling<typeof contract.beginPasskeyLogin>(
  "POST",
  "/auth/webauthn/login/begin",
);
export const loginWithPasskey = calling<typeof contract.loginWithPasskey>(
  "POST",
  "/auth/webauthn/login/finish",
);
export const listPasskeys = calling<typeof contract.listPasskeys>("GET", "/auth/webauthn/credentials");
export const deletePasskey = calling<typeof contract.deletePasskey>(
  "DELETE",
  "/auth/webauthn/credentials/{id}",
);
