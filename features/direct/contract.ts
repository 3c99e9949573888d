// Direct conversations: talks of two people or of a group, outside of servers.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { pageHeaders } from "../../protocol/headers.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id, integerInQuery } from "../../protocol/shapes.ts";
import { ringingCall, voiceState } from "../../protocol/voice.ts";
import { conversation, conversationPart, seenConversation } from "../channels/contract.ts";
import { channelDeleted } from "../channels/events.ts";

/** The newest message of a conversation, as lists show it. */
const lastMessage = z
  .object({
    id,
    author_id: id,
    excerpt: z.string().meta({
      description: `The beginning of its text without markup, at most ${limits.excerpt_max} characters`,
    }),
    attachment_count: z.int(),
  })
  .meta({ id: "LastMessage" });

/** A conversation in a list of its reader. */
const listedConversation = seenConversation
  .extend({
    last_message: lastMessage.nullable(),
    voice: z.array(voiceState).meta({ description: "One entry for each person in its voice room" }),
    call: ringingCall.nullable().meta({
      description: "The call that rings for the reader, or that the reader rings; null if there is none",
    }),
  })
  .meta({ id: "ListedConversation" });

export type LastMessage = z.infer<typeof lastMessage>;
export type ListedConversation = z.infer<typeof listedConversation>;

export const readyShapes = {
  whole: z.object({
    direct: z.array(listedConversation).meta({
      description: `The ${limits.direct_in_ready_max} conversations with the newest talk that are not hidden`,
    }),
  }),
};

/**
 * Tells one person that a conversation is not in their list any more: they hid or left it. It goes on for the others, so
 * it is not the event of a deleted channel, though clients do the same.
 */
export const conversationGone = event(channelDeleted, {
  summary: "A conversation is not in the person's list any more",
  data: z.object({ id }),
  happensIn: "person",
  forgets: () => [conversationPart],
  revokes: true,
});

const params = z.object({ id });
const recipientParams = z.object({ id, userID: id });

/** More ids than people who fit: oneself and repetitions do not count. */
const idsAsked = 100;

export const openConversation = operation({
  name: "openConversation",
  method: "POST",
  path: "/direct",
  summary: "Open the conversation with one person, or begin a group",
  caller: "account",
  lane: "write",
  rate: "direct",
  body: z.object({
    user_ids: z
      .array(id)
      .min(1)
      .max(idsAsked)
      .meta({
        description: `1 to ${limits.group_people_max - 1} people; oneself and repetitions do not count`,
      }),
  }),
  answers: {
    201: { description: "A new conversation", body: conversation },
    200: { description: "The conversation that these two already have", body: conversation },
  },
  errors: ["invalid_request", "forbidden", "blocked", "not_found"],
});

export const listConversations = operation({
  name: "listConversations",
  method: "GET",
  path: "/direct",
  summary: "The caller's conversations that are not hidden, those with the newest talk first",
  caller: "account",
  lane: "read",
  cost: { worst: 3 },
  query: z.object({
    limit: integerInQuery
      .optional()
      .meta({ description: `1 to ${limits.page_max}, default ${limits.page_default}` }),
    before: id.optional().meta({
      description: "The `last_message_id` of the last entry of the page before, or its `id` if it has none",
    }),
  }),
  answers: {
    200: { description: "The conversations", body: z.array(listedConversation), headers: pageHeaders },
  },
});

export const hideConversation = operation({
  name: "hideConversation",
  method: "DELETE",
  path: "/direct/{id}",
  summary: "Take a conversation off one's own list, until the next message",
  caller: "account",
  lane: "write",
  params,
  answers: { 204: { description: "It is not in the list" } },
});

export const addRecipient = operation({
  name: "addRecipient",
  method: "PUT",
  path: "/channels/{id}/recipients/{userID}",
  summary: "Bring a person into a group; somebody who is in it stays",
  caller: "account",
  lane: "write",
  rate: "direct",
  params: recipientParams,
  answers: { 204: { description: "They are in the group" } },
  errors: ["invalid_request", "forbidden", "blocked", "conflict"],
});

export const removeRecipient = operation({
  name: "removeRecipient",
  method: "DELETE",
  path: "/channels/{id}/recipients/{userID}",
  summary: "Leave a group, or as its owner take somebody out of it",
  caller: "account",
  lane: "write",
  params: recipientParams,
  answers: { 204: { description: "They are not in the group" } },
  errors: ["owner_only", "conflict"],
});
