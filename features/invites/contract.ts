// Invites: codes that let people join a server, for a time and a number of uses.
import { z } from "zod";
import { costByLimit } from "../../protocol/cost.ts";
import { pageHeaders } from "../../protocol/headers.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id, integerInQuery, time } from "../../protocol/shapes.ts";
import { server } from "../servers/contract.ts";

const counts = z.object({ expires_at: time.nullable(), max_uses: z.int(), uses: z.int() });

export const invite = counts
  .extend({ code: z.string(), url: z.string(), server_id: id })
  .meta({ id: "Invite" });

const inviteInfo = counts
  .extend({
    code: z.string(),
    server: z.object({ id, name: z.string(), icon: z.string().nullable(), member_count: z.int() }),
    server_name: z.string(),
    inviter: z.object({ id, username: z.string(), display_name: z.string(), avatar: z.string().nullable() }),
  })
  .meta({ id: "InviteInfo" });

const invitePreview = z
  .object({
    server: z.object({
      name: z.string(),
      icon: z.string().nullable().meta({ description: "Null as well for a picture that is kept elsewhere" }),
      member_count: z.int(),
    }),
    inviter: z.object({ display_name: z.string(), avatar: z.string().nullable() }).nullable().meta({
      description: "Null once the account is gone or disabled",
    }),
    expires_at: time.nullable(),
  })
  .meta({ id: "InvitePreview" });

export type Invite = z.infer<typeof invite>;

const code = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const params = z.object({ code });

export const createInvite = operation({
  name: "createInvite",
  method: "POST",
  path: "/invites",
  summary: "Make an invite to a server of the caller",
  caller: "person",
  lane: "write",
  rate: "invites",
  body: z.object({
    server_id: id,
    expires_hours: z.int().min(0).max(limits.invite_hours_max).default(limits.invite_hours_default).meta({
      description: "Hours until it expires; 0 never",
    }),
    max_uses: z.int().min(0).max(limits.invite_uses_max).default(0).meta({ description: "0 for no limit" }),
  }),
  answers: { 201: { description: "The invite", body: invite } },
  errors: ["not_found", "conflict"],
});

export const getInvite = operation({
  name: "getInvite",
  method: "GET",
  path: "/invites/{code}",
  summary: "What an invite leads to",
  caller: "person",
  lane: "read",
  rate: "invites",
  params,
  answers: { 200: { description: "The invite", body: inviteInfo } },
  errors: ["invite_expired"],
});

export const previewInvite = operation({
  name: "previewInvite",
  method: "GET",
  path: "/invites/{code}/preview",
  summary: "What an invite leads to, for people who have no account yet",
  caller: "public",
  lane: "read",
  rate: "invites",
  params,
  secretParam: "code",
  answers: { 200: { description: "The preview, which no search engine may keep", body: invitePreview } },
  errors: ["not_found", "invite_expired"],
});

export const joinByInvite = operation({
  name: "joinByInvite",
  method: "POST",
  path: "/invites/{code}/join",
  summary: "Join the server that an invite leads to",
  caller: "person",
  lane: "write",
  rate: "invites",
  params,
  answers: { 200: { description: "The server", body: server } },
  errors: ["invite_expired", "banned", "conflict"],
});

export const listInvites = operation({
  name: "listInvites",
  method: "GET",
  path: "/servers/{id}/invites",
  summary: "The live invites of a server, page by page",
  caller: "person",
  lane: "read",
  cost: costByLimit(limits.invites_page_max, 250),
  params: z.object({ id }),
  query: z.object({
    limit: integerInQuery.optional().meta({ description: `1 to ${limits.invites_page_max}` }),
    before: code.optional().meta({ description: "The last code of the page before" }),
  }),
  answers: {
    200: { description: "The invites, newest first", body: z.array(invite), headers: pageHeaders },
  },
  errors: ["forbidden"],
});

export const deleteInvite = operation({
  name: "deleteInvite",
  method: "DELETE",
  path: "/invites/{code}",
  summary: "Withdraw an invite: one's own, or any with MANAGE_SERVER",
  caller: "person",
  lane: "write",
  rate: "invites",
  params,
  answers: { 204: { description: "It leads nowhere any more" } },
  errors: ["forbidden"],
});
