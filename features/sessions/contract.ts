// Sessions: registering, signing in and out, and the list of the caller's sessions.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { sessionHeaders } from "../../protocol/headers.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id, time } from "../../protocol/shapes.ts";
import { displayName, email, givenPassword, password, username } from "../accounts/contract.ts";
import * as kinds from "./events.ts";

const identity = z.object({ id });

export const session = z
  .object({
    id,
    created_at: time,
    last_used_at: time,
    user_agent: z.string(),
    current: z.boolean(),
  })
  .meta({ id: "Session" });

export const register = operation({
  name: "register",
  method: "POST",
  path: "/auth/register",
  summary: "Make an account and sign in; the first one owns the instance",
  caller: "public",
  lane: "own",
  rate: "auth",
  body: z.object({
    email,
    username,
    display_name: displayName,
    password,
    invite_code: z.string().max(64).optional(),
    setup_code: z
      .string()
      .max(64)
      .optional()
      .meta({ description: "For the first account, while `GET /instance` says `setup` `code`" }),
  }),
  answers: {
    201: { description: "The account", body: identity, headers: sessionHeaders },
  },
  errors: ["conflict", "registration_closed", "unavailable"],
});

export const login = operation({
  name: "loginWithPassword",
  method: "POST",
  path: "/auth/login/password",
  summary: "Sign in with an e-mail address or username, and the password",
  caller: "public",
  lane: "own",
  rate: "auth",
  body: z.object({ email: z.string().min(1).max(254), password: givenPassword.min(1) }),
  answers: {
    200: { description: "The account", body: identity, headers: sessionHeaders },
  },
  errors: ["invalid_credentials", "forbidden", "unavailable"],
});

export const logout = operation({
  name: "logout",
  method: "POST",
  path: "/auth/logout",
  summary: "End the caller's session",
  caller: "person",
  lane: "write",
  answers: { 204: { description: "It is over" } },
});

/** Bounded as WebAuthn's ids are, in base64url. */
export const keepPasskeys = z.array(z.string().min(1).max(1364)).max(limits.passkeys_max).optional().meta({
  description:
    "Ids of the passkeys that stay: the account's other passkeys are deleted together with the old password. All stay if it is left out",
});

export const changePassword = operation({
  name: "changePassword",
  method: "PUT",
  path: "/auth/me/password",
  summary: "Change the password; ends every other session and renews this one's token",
  caller: "person",
  lane: "own",
  rate: "auth",
  body: z.object({ current_password: givenPassword, new_password: password, keep_passkeys: keepPasskeys }),
  answers: {
    204: { description: "It is changed, and the session has a new token", headers: sessionHeaders },
  },
  errors: ["wrong_password", "unavailable"],
});

export const listSessions = operation({
  name: "listSessions",
  method: "GET",
  path: "/auth/sessions",
  summary: "Where the caller is signed in, newest first",
  caller: "person",
  lane: "read",
  answers: { 200: { description: "The sessions", body: z.array(session) } },
});

export const endSession = operation({
  name: "endSession",
  method: "DELETE",
  path: "/auth/sessions/{id}",
  summary: "End one of the caller's sessions",
  caller: "person",
  lane: "write",
  params: z.object({ id }),
  answers: { 204: { description: "It is over" } },
});

export const sessionsUpdated = event(kinds.sessionsUpdated, {
  summary: "A session of the person began or ended: ask for the list again",
  data: z.strictObject({}),
  happensIn: "person",
  replaces: () => "",
});
