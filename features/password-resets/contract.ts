// Forgotten passwords: requesting a link by e-mail, and setting a new password with it.
import { z } from "zod";
import { operation } from "../../protocol/operation.ts";
import { email, password } from "../accounts/contract.ts";
import { keepPasskeys } from "../sessions/contract.ts";

export const forgotPassword = operation({
  name: "forgotPassword",
  method: "POST",
  path: "/auth/password/forgot",
  summary: "Ask for a mail with a link that sets a new password",
  caller: "public",
  lane: "own",
  rate: "auth",
  body: z.object({ email }),
  answers: { 204: { description: "If an account has this address, a mail is on its way" } },
  errors: ["not_configured", "unavailable"],
});

export const resetPassword = operation({
  name: "resetPassword",
  method: "POST",
  path: "/auth/password/reset",
  summary: "Set a new password with the token of a link; ends all sessions of the account",
  caller: "public",
  lane: "own",
  rate: "auth",
  body: z.object({
    token: z.string().min(1).max(256),
    new_password: password,
    keep_passkeys: keepPasskeys,
  }),
  answers: { 204: { description: "It is set; sign in with it" } },
  errors: ["invalid_token", "unavailable"],
});
