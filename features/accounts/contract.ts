// People and their profiles: the public fields, and the private ones of the caller's own account.
import { z } from "zod";
import { emailPattern, isEmail } from "../../protocol/email.ts";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { color, givenName, id, isAtMost, length, personalName, text, time } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

export const presenceStatus = z.enum(["online", "idle", "dnd", "offline"]);

/** How a person wants to appear; invisible shows as offline. */
export const presenceChoice = z.enum(["online", "idle", "dnd", "invisible"]);

/** A mark of honour that the instance's admins award; `icon` is an emoji or an http(s) URL. */
export const badge = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    icon: z.string(),
    color: z.string().nullable(),
  })
  .meta({ id: "Badge" });

export type Badge = z.infer<typeof badge>;

/** The author of a message, as shown in the line above it. */
export const author = z
  .object({
    id,
    username: z.string(),
    display_name: z.string(),
    avatar: z.string().nullable(),
    kind: z.enum(["user", "bot", "webhook"]),
  })
  .meta({ id: "Author" });

export const user = z
  .object({
    id,
    username: z.string(),
    display_name: z.string(),
    bio: z.string(),
    accent_color: z.string().nullable(),
    status_text: z.string(),
    avatar: z.string().nullable(),
    presence: presenceStatus,
    bot: z.boolean(),
    badges: z.array(badge),
    created_at: time,
  })
  .meta({ id: "User" });

const directFrom = z.enum(["shared_servers", "nobody"]).meta({
  description: "Who may begin a conversation with the person: those who share a server with them, or nobody",
});

/** The caller's own account; the only response that ever holds an e-mail address. */
export const me = user
  .extend({
    email: z.string(),
    instance_role: z.enum(["owner", "admin", "member"]),
    direct_from: directFrom,
    presence_chosen: presenceChoice.meta({
      description: "What the person chose; `presence` is what others see of it",
    }),
  })
  .meta({ id: "Me" });

export const readyShapes = { whole: z.object({ user: me }) };

export type Author = z.infer<typeof author>;
export type User = z.infer<typeof user>;
export type Me = z.infer<typeof me>;

export const username = z
  .string()
  .trim()
  .min(limits.username_min)
  .max(limits.username_max, { abort: true })
  .regex(/^[A-Za-z0-9_.-]*$/, "may hold letters, digits, dots, dashes and underscores")
  .refine((value) => !["everyone", "here"].includes(value.toLowerCase()), "is reserved");

export const email = z
  .string()
  .trim()
  .max(254, { abort: true })
  .refine((address) => address.lastIndexOf("@") <= 64, {
    error: "must have at most 64 characters before the @",
    abort: true,
  })
  .refine(isEmail, "must be an e-mail address")
  .meta({ format: "email", pattern: emailPattern });

/** Before normalisation, a password may have several code points for each character. */
const mostTyped = 4 * limits.password_max;

/** A password as typed to authenticate: its length is counted in NFC, but it is passed on unchanged. */
export const givenPassword = z
  .string()
  .refine((value) => isAtMost(mostTyped)(value) && isAtMost(limits.password_max)(value.normalize("NFC")), {
    error: `must have at most ${limits.password_max} characters`,
    abort: true,
  })
  .meta({ maxLength: limits.password_max });

export const password = givenPassword
  .refine(
    (value) => length(value.normalize("NFC")) >= limits.password_min,
    `must have at least ${limits.password_min} characters`,
  )
  .meta({ minLength: limits.password_min, maxLength: limits.password_max });

export const displayName = personalName(limits.display_name_max);

export const getMe = operation({
  name: "getMe",
  method: "GET",
  path: "/auth/me",
  summary: "The caller's own profile",
  caller: "person",
  lane: "read",
  answers: { 200: { description: "The profile", body: me } },
});

export const updateMe = operation({
  name: "updateMe",
  method: "PATCH",
  path: "/auth/me",
  summary: "Change the caller's own profile",
  caller: "person",
  lane: "write",
  body: z.object({
    display_name: givenName(limits.display_name_max).optional(),
    bio: text(limits.bio_max).nullable().optional(),
    accent_color: color.nullable().optional(),
    status_text: text(limits.status_text_max).nullable().optional(),
    direct_from: directFrom.optional(),
  }),
  answers: { 200: { description: "The profile as it is now", body: me } },
});

export const meUpdated = event(kinds.meUpdated, {
  summary: "The person's own profile changed, or what they may do in the instance",
  data: me,
  happensIn: "person",
  replaces: () => "",
});

/** Sent to people who share a server with the person. */
export const userUpdated = event(kinds.userUpdated, {
  summary: "A profile changed",
  data: user,
  happensIn: "server",
  live: true,
});
