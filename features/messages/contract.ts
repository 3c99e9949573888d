// Messages: posting them to a channel, replying, editing and deleting.
import { z } from "zod";
import type { Cost } from "../../protocol/cost.ts";
import { event } from "../../protocol/event.ts";
import { pageHeaders } from "../../protocol/headers.ts";
import { limits } from "../../protocol/limits.ts";
import { showsSomething } from "../../protocol/names.ts";
import { operation } from "../../protocol/operation.ts";
import { id, integerInQuery, isAtMost, ownServer, text, time } from "../../protocol/shapes.ts";
import { author } from "../accounts/contract.ts";
import { attachment, uploadPattern } from "../files/contract.ts";
import * as kinds from "./events.ts";

const common = z.object({
  id,
  channel_id: id,
  server_id: ownServer,
  author,
  content: z.string(),
  reply_to: id.nullable(),
  mentions: z.object({ user_ids: z.array(id), role_ids: z.array(id), everyone: z.boolean() }),
  attachments: z.array(attachment),
  nonce: z.string().nullable(),
  edited_at: time.nullable(),
  created_at: time,
});

const reactionCount = z.object({ emoji: z.string(), count: z.int() });

// The parts of a message: fields whose values later features read and write (parts.ts).
const sharedParts = z.object({ reactions: z.array(reactionCount) });
const parts = z.object({ reactions: z.array(reactionCount.extend({ me: z.boolean() })) });

/** A message as events carry it: the same for every listener. */
export const sharedMessage = common.extend(sharedParts.shape).meta({ id: "SharedMessage" });

/** A message as its reader gets it. */
export const message = common.extend(parts.shape).meta({ id: "Message" });

export type SharedMessage = z.infer<typeof sharedMessage>;
export type Message = z.infer<typeof message>;
export type SharedParts = z.infer<typeof sharedParts>;
export type Parts = z.infer<typeof parts>;

/** The parts of a message that was just posted, in the order of their fields. Shared by messages: never change one in place. */
export const newParts: Readonly<Parts & SharedParts> = Object.freeze({ reactions: [] });

/** A text without visible characters counts as empty. */
export const content = z
  .string()
  .trim()
  .overwrite((value) => (showsSomething(value) ? value : ""))
  .refine(isAtMost(limits.message_max), `must be at most ${limits.message_max} characters`)
  .meta({ maxLength: limits.message_max });
/** Every name in a text costs a lookup and mostly a stored mention and an event; ordinary messages hold few. */
const namesForOne = 40;
const costByNames: Cost = {
  worst: 3,
  how: `one for each ${namesForOne} \`@\` of \`content\``,
  of: ({ content }) => Math.ceil((String(content).split("@").length - 1) / namesForOne),
};

const attached = z
  .string()
  .max(limits.url_max)
  .meta({ pattern: uploadPattern, description: "The `url` of an upload of the caller's" });
const place = id.optional().meta({ description: "One of before, after and around" });
const channelParams = z.object({ channelID: id });
const messageParams = z.object({ messageID: id });

export const listMessages = operation({
  name: "listMessages",
  method: "GET",
  path: "/channels/{channelID}/messages",
  summary: "Messages of a channel, newest first; with `around`, oldest first around an id",
  caller: "account",
  lane: "read",
  params: channelParams,
  query: z
    .object({
      limit: integerInQuery
        .optional()
        .meta({ description: `1 to ${limits.page_max}, default ${limits.page_default}` }),
      before: place,
      after: place,
      around: place,
    })
    .refine(
      ({ before, after, around }) => [before, after, around].filter((each) => each !== undefined).length <= 1,
      "takes one of before, after and around",
    ),
  answers: {
    200: { description: "The messages", body: z.array(message), headers: pageHeaders },
  },
});

export const createMessage = operation({
  name: "createMessage",
  method: "POST",
  path: "/channels/{channelID}/messages",
  summary: "Post a message",
  caller: "account",
  lane: "shared",
  cost: costByNames,
  rate: "messages",
  params: channelParams,
  body: z
    .object({
      content: content.default("").meta({ description: "Not blank, but for a message with attachments" }),
      reply_to: id.nullable().optional(),
      nonce: text(limits.nonce_max).min(1).nullable().optional(),
      attachments: z.array(attached).max(limits.attachments_max).nullable().optional(),
    })
    .refine((body) => body.content !== "" || (body.attachments ?? []).length > 0, {
      path: ["content"],
      message: "must not be empty",
    }),
  answers: {
    201: { description: "The message", body: message },
    200: { description: "The message that this nonce posted before", body: message },
  },
  errors: ["forbidden", "conflict"],
});

export const getMessage = operation({
  name: "getMessage",
  method: "GET",
  path: "/messages/{messageID}",
  summary: "One message in a channel that the caller can see",
  caller: "account",
  lane: "read",
  params: messageParams,
  answers: { 200: { description: "The message", body: message } },
});

export const updateMessage = operation({
  name: "updateMessage",
  method: "PATCH",
  path: "/messages/{messageID}",
  summary: "Correct one's own message",
  caller: "account",
  lane: "write",
  cost: costByNames,
  rate: "messages",
  params: messageParams,
  body: z.object({
    content: content.meta({ description: "Not blank, but for a message with attachments" }),
  }),
  answers: { 200: { description: "The message as it is now", body: message } },
  errors: ["author_only", "forbidden"],
});

export const deleteMessage = operation({
  name: "deleteMessage",
  method: "DELETE",
  path: "/messages/{messageID}",
  summary: "Take back one's own message, or with MANAGE_MESSAGES one of a webhook",
  caller: "account",
  lane: "write",
  params: messageParams,
  answers: { 204: { description: "It is gone" } },
  errors: ["author_only", "forbidden"],
});

export const bulkDelete = operation({
  name: "bulkDeleteMessages",
  method: "POST",
  path: "/channels/{channelID}/messages/bulk-delete",
  summary: "Remove messages of a channel, whoever wrote them",
  caller: "account",
  lane: "write",
  cost: { worst: 2 },
  params: channelParams,
  body: z.object({ message_ids: z.array(id).min(1).max(limits.bulk_delete_max) }),
  answers: { 204: { description: "They are gone" } },
  errors: ["forbidden"],
});

export const messageCreated = event(kinds.messageCreated, {
  summary: "A message was posted",
  data: sharedMessage,
  happensIn: "channel",
  risingId: ({ id }) => id,
});
export const messageUpdated = event(kinds.messageUpdated, {
  summary: "A message was corrected",
  data: sharedMessage,
  happensIn: "channel",
});
export const messageDeleted = event(kinds.messageDeleted, {
  summary: "A message was deleted",
  data: z.object({ id, channel_id: id }),
  happensIn: "channel",
});
