// Operations for the owner and the admins of the instance: people, servers, health, a test mail.
import { z } from "zod";
import { type Cost, mostCost } from "../../protocol/cost.ts";
import { pageHeaders } from "../../protocol/headers.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id, integerInQuery, text, time } from "../../protocol/shapes.ts";
import { sharedServer } from "../servers/contract.ts";

const instanceRole = z.enum(["owner", "admin", "member"]);

/** A person as the instance's admins see them: without their e-mail address. */
const account = z
  .object({
    id,
    username: z.string(),
    display_name: z.string(),
    instance_role: instanceRole,
    disabled: z.boolean(),
    created_at: time,
    last_seen_at: time
      .nullable()
      .meta({ description: "The last use of any session; null for who never had one" }),
  })
  .meta({ id: "Account" });

export type Account = z.infer<typeof account>;

/** No account has this id. */
const nobody = "00000000-0000-0000-0000-000000000000";
/** A malformed id becomes one that no account has: it gives a 404 only once the caller's right has been checked. */
const params = z.object({
  id: z.preprocess((given) => (id.safeParse(given).success ? given : nobody), id),
});
const paging = {
  after: id.optional().meta({ description: "The last id of the page before" }),
  limit: integerInQuery
    .optional()
    .meta({ description: `1 to ${limits.page_max}, default ${limits.page_default}` }),
};

/** A search without matches reads the whole list. */
const searchCost: Cost = {
  worst: mostCost,
  how: `${mostCost} with \`q\`, else 1`,
  of: ({ q }) => (q === undefined || q === "" ? 1 : mostCost),
};

export const listAccounts = operation({
  name: "listAccounts",
  method: "GET",
  path: "/admin/users",
  summary: "The people of this instance, by id, page by page (admins of the instance)",
  caller: "person",
  lane: "read",
  cost: searchCost,
  query: z.object({
    q: text(limits.admin_q_max)
      .optional()
      .meta({ description: "A part of a username or display name, or a whole e-mail address" }),
    ...paging,
  }),
  answers: { 200: { description: "The people", body: z.array(account), headers: pageHeaders } },
  errors: ["forbidden"],
});

export const updateAccount = operation({
  name: "updateAccount",
  method: "PATCH",
  path: "/admin/users/{id}",
  summary: "Disable or enable a person; make them an admin or a member (admins of the instance)",
  caller: "person",
  lane: "own",
  params,
  body: z.object({
    disabled: z.boolean().optional(),
    instance_role: instanceRole
      .exclude(["owner"])
      .optional()
      .meta({ description: "Only the owner of the instance changes it" }),
  }),
  answers: { 200: { description: "The person as they are now", body: account } },
  errors: ["forbidden", "owner_only", "hierarchy", "conflict"],
});

export const createResetLink = operation({
  name: "createResetLink",
  method: "POST",
  path: "/admin/users/{id}/reset-link",
  summary: "A link with which a person sets a new password, once (admins of the instance)",
  caller: "person",
  lane: "own",
  params,
  answers: {
    200: {
      description: "The link; those before are void",
      body: z.object({ url: z.string(), expires_at: time }).meta({ id: "ResetLink" }),
    },
  },
  errors: ["forbidden", "hierarchy", "conflict"],
});

export const endSessionsOf = operation({
  name: "endSessionsOf",
  method: "DELETE",
  path: "/admin/users/{id}/sessions",
  summary: "Sign a person out everywhere (admins of the instance)",
  caller: "person",
  lane: "own",
  params,
  answers: { 204: { description: "All of their sessions are over" } },
  errors: ["forbidden", "hierarchy", "conflict"],
});

const listedServer = sharedServer.meta({ id: "ListedServer" });

export const listAllServers = operation({
  name: "listAllServers",
  method: "GET",
  path: "/admin/servers",
  summary: "The servers of this instance, by id, page by page (admins of the instance)",
  caller: "person",
  lane: "read",
  cost: searchCost,
  query: z.object({
    q: text(limits.admin_q_max).optional().meta({ description: "A part of the name" }),
    ...paging,
  }),
  answers: { 200: { description: "The servers", body: z.array(listedServer), headers: pageHeaders } },
  errors: ["forbidden"],
});

const check = z
  .object({
    name: z.string(),
    state: z.enum(["ok", "off", "failed"]).meta({ description: "`off`: not set up, which is fine" }),
    message: z.string(),
    needs_you: z.boolean().meta({ description: "It works, and somebody should do something" }),
  })
  .meta({ id: "Check" });

export type CheckResult = z.infer<typeof check>;

export const getHealth = operation({
  name: "getHealth",
  method: "GET",
  path: "/admin/health",
  summary: "What works, what does not, and what is not set up (admins of the instance)",
  caller: "person",
  lane: "read",
  answers: {
    200: { description: "What was found", body: z.object({ checks: z.array(check) }).meta({ id: "Health" }) },
  },
  errors: ["forbidden"],
});

export const sendTestMail = operation({
  name: "sendTestMail",
  method: "POST",
  path: "/admin/test-mail",
  summary: "Send a mail to the caller's own address (admins of the instance)",
  caller: "person",
  lane: "own",
  answers: { 204: { description: "The mail server has taken it" } },
  errors: ["forbidden", "not_configured", "unavailable", "rate_limited"],
});
