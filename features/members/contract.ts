// Membership: joining and leaving servers, and bans.
import { z } from "zod";
import { type Cost, costByLimit } from "../../protocol/cost.ts";
import { event } from "../../protocol/event.ts";
import { pageHeaders } from "../../protocol/headers.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import {
  id,
  idsInQuery,
  integerInQuery,
  isAtMost,
  notBlankPattern,
  text,
  time,
} from "../../protocol/shapes.ts";
import { user } from "../accounts/contract.ts";
import * as kinds from "./events.ts";

export const member = z.object({ user, role_ids: z.array(id), joined_at: time }).meta({ id: "Member" });
export const ban = z.object({ user, reason: z.string().nullable(), created_at: time }).meta({ id: "Ban" });

export type Member = z.infer<typeof member>;
export type Ban = z.infer<typeof ban>;

const params = z.object({ id });
const pageLengths = `1 to ${limits.members_page_max}`;
/** The beginning of a name, as typed to complete it. */
const beginning = z
  .string()
  .trim()
  .min(1, { error: "must not be empty", abort: true })
  .refine(isAtMost(limits.members_q_max), `must be at most ${limits.members_q_max} characters`)
  .meta({
    minLength: 1,
    maxLength: limits.members_q_max,
    pattern: notBlankPattern,
    description:
      "How a username, a display name or a word of it begins; case and accents do not count, and plain letters stand for others. `X-Has-More: true`: more are called so, or may be, as not all names were looked at; type more of the name",
  });

const memberIds = idsInQuery(limits.members_ids_max).meta({
  description: `Up to ${limits.members_ids_max} ids, by commas; who is no member is passed over`,
});

/** Members are asked for by name, by ids, or page by page; pages also of one role. */
function asksOneWay({ q, ids, after, role_id }: Partial<Record<string, unknown>>): boolean {
  return [q, ids, after ?? role_id].filter((each) => each !== undefined).length <= 1;
}

const memberParams = z.object({ id, userID: id });

export const getUser = operation({
  name: "getUser",
  method: "GET",
  path: "/users/{id}",
  summary: "A person who shares a server with the caller",
  caller: "account",
  lane: "read",
  params,
  answers: { 200: { description: "The person", body: user } },
});

const byPage = costByLimit(limits.members_page_max, 100);
const membersCost: Cost = {
  worst: byPage.worst,
  how: "one for each 100 of `limit`; 5 with `q`, 2 with `ids`",
  of: (query) => (query.q !== undefined ? 5 : query.ids !== undefined ? 2 : (byPage.of?.(query) ?? 1)),
};

export const listMembers = operation({
  name: "listMembers",
  method: "GET",
  path: "/servers/{id}/members",
  summary:
    "The members of a server, or of one of its roles, by id, page by page; or those of a name, or of these ids, in no order",
  caller: "account",
  lane: "read",
  cost: membersCost,
  params,
  query: z
    .object({
      limit: integerInQuery.optional().meta({
        description: `${pageLengths}; with \`q\` 1 to ${limits.page_max}, ${limits.members_found_default} by default`,
      }),
      after: id.optional(),
      q: beginning.optional(),
      ids: memberIds.optional(),
      role_id: id.optional().meta({
        description: "Only members who hold this role of the server; goes with `after` and `limit`",
      }),
    })
    .refine(asksOneWay, "takes only one of q, ids, and pages by after or role_id"),
  answers: { 200: { description: "The members", body: z.array(member), headers: pageHeaders } },
});

export const leaveServer = operation({
  name: "leaveServer",
  method: "DELETE",
  path: "/servers/{id}/members/@me",
  summary: "Leave a server; its owner cannot",
  caller: "account",
  lane: "write",
  params,
  answers: { 204: { description: "The caller is no member any more" } },
  errors: ["conflict"],
});

export const kickMember = operation({
  name: "kickMember",
  method: "DELETE",
  path: "/servers/{id}/members/{userID}",
  summary: "Remove a member who ranks below the caller",
  caller: "account",
  lane: "write",
  cost: { worst: 2 },
  params: memberParams,
  answers: { 204: { description: "They are no member any more" } },
  errors: ["forbidden", "hierarchy"],
});

export const listBans = operation({
  name: "listBans",
  method: "GET",
  path: "/servers/{id}/bans",
  summary: "Who is banned from a server, page by page",
  caller: "account",
  lane: "read",
  cost: byPage,
  params,
  query: z.object({
    limit: integerInQuery.optional().meta({ description: pageLengths }),
    after: id.optional().meta({ description: "The last user id of the page before" }),
  }),
  answers: {
    200: { description: "The bans, oldest first", body: z.array(ban), headers: pageHeaders },
  },
  errors: ["forbidden"],
});

export const banUser = operation({
  name: "banUser",
  method: "PUT",
  path: "/servers/{id}/bans/{userID}",
  summary: "Remove a person who ranks below the caller and keep them out",
  caller: "account",
  lane: "write",
  cost: { worst: 2 },
  params: memberParams,
  body: z.object({ reason: text(limits.ban_reason_max).nullable().optional() }),
  bodyOptional: true,
  answers: { 204: { description: "They are banned" } },
  errors: ["forbidden", "hierarchy"],
});

export const unbanUser = operation({
  name: "unbanUser",
  method: "DELETE",
  path: "/servers/{id}/bans/{userID}",
  summary: "Let a banned person join again",
  caller: "account",
  lane: "write",
  params: memberParams,
  answers: { 204: { description: "They are not banned" } },
  errors: ["forbidden"],
});

export const memberAdded = event(kinds.memberAdded, {
  summary: "Somebody joined the server",
  data: member,
  happensIn: "server",
  forgets: ({ user }) => [`standing:${user.id}`],
  touches: (data) => [data.user.id],
});

export const memberRemoved = event(kinds.memberRemoved, {
  summary: "A member left, was kicked or was banned; for them it is the last event of the server",
  data: z.object({ user_id: id, reason: z.enum(["left", "kicked", "banned"]) }),
  happensIn: "server",
  forgets: ({ user_id }) => [`standing:${user_id}`],
  revokes: true,
  touches: (data) => [data.user_id],
  ends: (data) => data.user_id,
});
