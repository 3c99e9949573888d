// Webhooks: URLs that let a program post into one channel, without an account.
import { z } from "zod";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { httpUrl, id, notBlankPattern, orEmpty, personalName, time } from "../../protocol/shapes.ts";
import { content, sharedMessage } from "../messages/contract.ts";

export const webhook = z
  .object({ id, channel_id: id, name: z.string(), created_at: time })
  .meta({ id: "Webhook" });

/** The only response with the token; it cannot be read again later. */
const newWebhook = webhook
  .extend({ token: z.string(), url: z.string().meta({ format: "uri" }) })
  .meta({ id: "NewWebhook" });

export type Webhook = z.infer<typeof webhook>;

/** Pages load no pictures over plain http. */
function isSafe(address: string): boolean {
  return /^https:/i.test(address);
}

const webhookName = personalName(limits.webhook_name_max);
const channelParams = z.object({ channelID: id });

export const createWebhook = operation({
  name: "createWebhook",
  method: "POST",
  path: "/channels/{channelID}/webhooks",
  summary: "Make a webhook that posts into a channel; its token is told this once",
  caller: "account",
  lane: "write",
  params: channelParams,
  body: z.object({ name: webhookName }),
  answers: { 201: { description: "The webhook, with its token and address", body: newWebhook } },
  errors: ["forbidden", "conflict"],
});

export const listWebhooks = operation({
  name: "listWebhooks",
  method: "GET",
  path: "/channels/{channelID}/webhooks",
  summary: "The webhooks of a channel, without their tokens",
  caller: "account",
  lane: "read",
  params: channelParams,
  answers: { 200: { description: "The webhooks, oldest first", body: z.array(webhook) } },
  errors: ["forbidden"],
});

export const deleteWebhook = operation({
  name: "deleteWebhook",
  method: "DELETE",
  path: "/webhooks/{webhookID}",
  summary: "End a webhook; what it posted stays",
  caller: "account",
  lane: "write",
  params: z.object({ webhookID: id }),
  answers: { 204: { description: "Its address leads nowhere any more" } },
  errors: ["forbidden"],
});

/** Calls are counted by the URL as written, so an id has only one spelling: in capitals it is not found. */
const writtenId = z
  .string()
  .regex(/^[0-9a-f-]{36}$/)
  .pipe(id);

export const executeWebhook = operation({
  name: "executeWebhook",
  method: "POST",
  path: "/webhooks/{webhookID}/{token}",
  summary: "Post as a webhook; the token in the path is all that counts",
  caller: "public",
  // The webhook is looked up before a transaction opens, so that guesses do not delay writers.
  lane: "own",
  rate: "webhooks",
  secretParam: "token",
  atRoot: true,
  params: z.object({ webhookID: writtenId, token: z.string().regex(/^hw_[A-Za-z0-9_-]{43}$/) }),
  query: z.object({
    wait: z
      .enum(["true", "false"])
      .optional()
      .meta({ description: "`true` answers the message instead of nothing" }),
  }),
  body: z.object({
    content: content
      .refine((value) => value !== "", "must not be empty")
      .meta({
        minLength: 1,
        pattern: notBlankPattern,
        description: "Not blank; a post counts as up to 3, one for each 40 `@`",
      }),
    username: orEmpty(webhookName)
      .nullable()
      .optional()
      .meta({ description: "Instead of the webhook's own name; empty counts as absent" }),
    avatar_url: orEmpty(httpUrl)
      .transform((address) => (address && isSafe(address) ? address : null))
      .nullable()
      .optional()
      .meta({
        description:
          "A picture for this message; the server never fetches it. Empty, or of http, it is left out: the message comes without",
      }),
  }),
  answers: {
    200: { description: "The message, when it was waited for", body: sharedMessage },
    204: { description: "It is posted" },
  },
  errors: ["not_found"],
});
