// Badges: marks of honour that the instance's admins make, award and take back.
import { z } from "zod";
import { normaliseEmoji } from "../../protocol/emoji.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { color, httpUrl, id, name, notBlankPattern, text } from "../../protocol/shapes.ts";
import { badge } from "../accounts/contract.ts";

/** An emoji in normalised form, or the URL of a picture. */
const icon = z
  .string()
  .max(limits.url_max)
  .transform((value, context) => {
    if (httpUrl.safeParse(value).success) return value;
    const emoji = normaliseEmoji(value);
    if (emoji !== undefined) return emoji;
    context.addIssue({ code: "custom", message: "must be one emoji or an http or https address" });
    return z.NEVER;
  })
  .meta({
    minLength: 1,
    pattern: notBlankPattern,
    description: "One emoji, a name like `:wave:`, or an http or https address",
  });

const holding = z.object({ id, badgeID: id });

export const listBadges = operation({
  name: "listBadges",
  method: "GET",
  path: "/badges",
  summary: "All badges of this instance",
  caller: "account",
  lane: "read",
  answers: { 200: { description: "The badges, oldest first", body: z.array(badge) } },
});

export const createBadge = operation({
  name: "createBadge",
  method: "POST",
  path: "/badges",
  summary: "Make a badge (admins of the instance)",
  caller: "person",
  lane: "write",
  body: z.object({
    name: name(limits.badge_name_max),
    description: text(limits.badge_description_max).default(""),
    icon,
    color: color.nullable().default(null),
  }),
  answers: { 201: { description: "The badge", body: badge } },
  errors: ["forbidden", "conflict"],
});

export const deleteBadge = operation({
  name: "deleteBadge",
  method: "DELETE",
  path: "/badges/{id}",
  summary: "Delete a badge, and take it from everybody (admins of the instance)",
  caller: "person",
  lane: "write",
  params: z.object({ id }),
  answers: { 204: { description: "There is no such badge any more" } },
  errors: ["forbidden"],
});

export const listBadgesOf = operation({
  name: "listBadgesOf",
  method: "GET",
  path: "/users/{id}/badges",
  summary: "The badges that somebody has (admins of the instance)",
  caller: "person",
  lane: "read",
  params: z.object({ id }),
  answers: { 200: { description: "The badges", body: z.array(badge) } },
  errors: ["forbidden"],
});

export const giveBadge = operation({
  name: "giveBadge",
  method: "PUT",
  path: "/users/{id}/badges/{badgeID}",
  summary: "Give somebody a badge; again changes nothing (admins of the instance)",
  caller: "person",
  lane: "write",
  params: holding,
  answers: { 204: { description: "They have it" } },
  errors: ["forbidden", "conflict"],
});

export const takeBadge = operation({
  name: "takeBadge",
  method: "DELETE",
  path: "/users/{id}/badges/{badgeID}",
  summary: "Take a badge back (admins of the instance)",
  caller: "person",
  lane: "write",
  params: holding,
  answers: { 204: { description: "They do not have it" } },
  errors: ["forbidden"],
});
