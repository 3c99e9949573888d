// Channels: the rooms of a server, for text or for voice.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { hidesText, showsSomething } from "../../protocol/names.ts";
import { operation } from "../../protocol/operation.ts";
import { overridableBits, stepSources } from "../../protocol/overrides.ts";
import { givenName, id, name, ownServer, plainPattern, position, text, time } from "../../protocol/shapes.ts";
import { user } from "../accounts/contract.ts";
import * as kinds from "./events.ts";

const overrideKind = z.enum(["role", "member"]);

const override = z
  .object({
    id: id.meta({ description: "The id of the role, that of @everyone too, or of the user" }),
    kind: overrideKind,
    allow: z.int(),
    deny: z.int(),
  })
  .meta({ id: "Override" });

export const channel = z
  .object({
    id,
    server_id: id,
    name: z.string(),
    type: z.enum(["text", "voice"]),
    topic: z.string().nullable(),
    category: z.string().nullable(),
    position: z.int(),
    last_message_id: id.nullable(),
    created_at: time,
    overrides: z.array(override).optional().meta({ description: "Left out where the channel has none" }),
  })
  .meta({ id: "ServerChannel" });

/** A conversation: a channel without a server, for the people in it alone. */
export const conversation = z
  .object({
    id,
    server_id: z.null(),
    name: z.string().nullable().meta({ description: "A group's name; null where it has none" }),
    type: z.enum(["direct", "group"]),
    topic: z.null(),
    category: z.null(),
    position: z.literal(0),
    last_message_id: id.nullable(),
    created_at: time,
    recipients: z.array(user).meta({ description: "All people in it, the reader too, by when they came" }),
    owner_id: id.nullable().meta({ description: "The owner of a group" }),
  })
  .meta({ id: "Conversation" });

export const seenChannel = channel
  .extend({ permissions: z.int().meta({ description: "The caller's bits in the channel" }) })
  .meta({ id: "SeenServerChannel" });

const bits = z.int().meta({ description: "The caller's bits in the channel" });

export const seenConversation = conversation.extend({ permissions: bits }).meta({ id: "SeenConversation" });

const eitherShape = channel
  .extend({
    server_id: ownServer,
    name: z.string().nullable().meta({ description: "Null for a conversation without a name" }),
    type: z.enum(["text", "voice", "direct", "group"]),
    recipients: conversation.shape.recipients.optional(),
    owner_id: conversation.shape.owner_id.optional(),
  })
  .meta({ id: "Channel" });

/** A channel of a server, or a conversation. */
const eitherChannel = eitherShape as unknown as z.ZodType<Channel | Conversation>;
const seenEither = eitherShape
  .extend({ permissions: bits })
  .meta({ id: "SeenChannel" }) as unknown as z.ZodType<SeenChannel | z.infer<typeof seenConversation>>;

export const readyShapes = { server: z.object({ channels: z.array(seenChannel) }) };

export type Channel = z.infer<typeof channel>;
export type Conversation = z.infer<typeof conversation>;
/** A channel as one reader gets it; events carry no permissions. */
export type SeenChannel = z.infer<typeof seenChannel>;

export const channelName = name(limits.channel_name_max);
const givenCategory = text(limits.category_max)
  .trim()
  .transform((value) => (value === "" ? null : value))
  .meta({ maxLength: limits.category_max, pattern: plainPattern })
  .nullable();
export const category = text(limits.category_max)
  .trim()
  .refine((value) => !hidesText(value), "must not hold invisible or direction-changing characters")
  .refine((value) => value === "" || showsSomething(value), "must hold a character that can be seen")
  .transform((value) => (value === "" ? null : value))
  .meta({ maxLength: limits.category_max, pattern: plainPattern })
  .nullable();
const topic = text(limits.channel_topic_max)
  .trim()
  .transform((value) => (value === "" ? null : value))
  .meta({ maxLength: limits.channel_topic_max })
  .nullable();

const overridable = z.int().min(0).max(overridableBits);
const setBits = overridable
  .refine((bits) => (bits & ~overridableBits) === 0, "must hold only bits of channels")
  .default(0)
  .meta({ description: `Bits of ${overridableBits}; no bit is in both allow and deny` });
const given = { kind: overrideKind, allow: setBits, deny: setBits };
const isEither = ({ allow, deny }: { allow: number; deny: number }) => (allow & deny) === 0;
const notBoth = { path: ["deny"], error: "must not hold a bit that is allowed too" };
const params = z.object({ id });
const overrideParams = z.object({ id, roleOrUserID: id });

export const createChannel = operation({
  name: "createChannel",
  method: "POST",
  path: "/channels",
  summary: "Make a channel",
  caller: "account",
  lane: "write",
  body: z.object({
    server_id: id,
    name: channelName,
    type: z.enum(["text", "voice"]).default("text"),
    topic: topic.optional(),
    category: givenCategory.optional(),
    position: position.optional(),
    overrides: z
      .array(z.object({ id, ...given }).refine(isEither, notBoth))
      .optional()
      .meta({ description: "A channel with overrides is never visible to those whom they keep out" }),
  }),
  answers: { 201: { description: "The channel", body: channel } },
  errors: ["forbidden", "hierarchy", "not_found", "conflict"],
});

export const listChannels = operation({
  name: "listChannels",
  method: "GET",
  path: "/channels",
  summary: "The channels of a server that the caller can see",
  caller: "account",
  lane: "read",
  cost: { worst: 2 },
  query: z.object({ server_id: id }),
  answers: { 200: { description: "The channels, by position", body: z.array(seenChannel) } },
  errors: ["not_found"],
});

export const getChannel = operation({
  name: "getChannel",
  method: "GET",
  path: "/channels/{id}",
  summary: "One channel that the caller can see",
  caller: "account",
  lane: "read",
  params,
  answers: { 200: { description: "The channel", body: seenEither } },
});

export const updateChannel = operation({
  name: "updateChannel",
  method: "PATCH",
  path: "/channels/{id}",
  summary: "Change a channel; its server and type stay. Of a conversation, the name of a group",
  caller: "account",
  lane: "write",
  params,
  body: z.object({
    name: givenName(limits.channel_name_max)
      .nullable()
      .optional()
      .meta({ description: "Only a group may have none" }),
    topic: topic.optional(),
    category: givenCategory.optional(),
    position: position.optional(),
  }),
  answers: { 200: { description: "The channel as it is now", body: eitherChannel } },
  errors: ["forbidden", "conflict"],
});

export const deleteChannel = operation({
  name: "deleteChannel",
  method: "DELETE",
  path: "/channels/{id}",
  summary: "Delete a channel and everything in it",
  caller: "account",
  lane: "write",
  params,
  answers: { 204: { description: "It is gone" } },
  errors: ["forbidden"],
});

export const listOverrides = operation({
  name: "listOverrides",
  method: "GET",
  path: "/channels/{id}/overrides",
  summary: "What a channel allows or denies to roles and members",
  caller: "account",
  lane: "read",
  params,
  answers: { 200: { description: "The overrides", body: z.array(override) } },
});

export const setOverride = operation({
  name: "setOverride",
  method: "PUT",
  path: "/channels/{id}/overrides/{roleOrUserID}",
  summary: "Set what a channel allows or denies to a role or a member; nothing in both is no override",
  caller: "account",
  lane: "write",
  cost: { worst: 5 },
  params: overrideParams,
  body: z.object(given).refine(isEither, notBoth),
  answers: { 204: { description: "The override is set" } },
  errors: ["forbidden", "hierarchy", "conflict"],
});

export const deleteOverride = operation({
  name: "deleteOverride",
  method: "DELETE",
  path: "/channels/{id}/overrides/{roleOrUserID}",
  summary: "Remove the override of a role or a member",
  caller: "account",
  lane: "write",
  cost: { worst: 5 },
  params: overrideParams,
  answers: { 204: { description: "There is none" } },
  errors: ["forbidden", "hierarchy", "conflict"],
});

export const explainPermissions = operation({
  name: "explainPermissions",
  method: "GET",
  path: "/channels/{id}/permissions/{userID}",
  summary: "A member's permissions in a channel, and the steps that lead to them",
  caller: "account",
  lane: "read",
  params: z.object({ id, userID: id }),
  answers: {
    200: {
      description: "The permissions, and each step with the bits that hold after it",
      body: z.object({
        permissions: z.int(),
        steps: z.array(
          z.object({
            source: z.enum(stepSources),
            id: id.nullable().meta({ description: "A role or user; null for `no_view`" }),
            name: z.string().nullable(),
            allow: z.int(),
            deny: z.int(),
            result: z.int(),
          }),
        ),
      }),
    },
  },
  errors: ["forbidden"],
});

/** The cached part of a conversation's home that holds the conversation. */
export const conversationPart = "conversation";

/** The cached part of a home that holds the overrides of its channels. */
export const classesPart = "channel classes";

export const channelCreated = event(kinds.channelCreated, {
  summary:
    "A channel was made, or came into the listener's sight. It is read, unless a READ_STATE_UPDATE without a number follows",
  data: eitherChannel,
  happensIn: "channel",
  // A conversation is shown again to somebody who did not have it in their list.
  forgets: (channel) => [
    ...("overrides" in channel ? [classesPart] : []),
    ...(channel.server_id === null ? [conversationPart] : []),
  ],
});
export const channelUpdated = event(kinds.channelUpdated, {
  summary: "A channel changed",
  data: eitherChannel,
  happensIn: "channel",
  forgets: ({ id, server_id }) => [server_id === null ? conversationPart : `channel:${id}`],
});
export const channelDeleted = event(kinds.channelDeleted, {
  summary: "A channel was deleted, or went out of the listener's sight",
  data: z.object({ id }),
  happensIn: "channel",
  forgets: ({ id }) => [`channel:${id}`],
  revokes: true,
});
export const overridesUpdated = event(kinds.overridesUpdated, {
  summary: "The overrides of a channel changed. Those who gained or lost sight of it by that are told first",
  data: z.object({ channel_id: id, overrides: z.array(override) }),
  happensIn: "channel",
  // The handler names the members whose permissions change.
  forgets: ({ channel_id }) => [`channel:${channel_id}`, classesPart],
  revokes: true,
});
