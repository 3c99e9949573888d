// Channels: the rooms of a server, for text or for voice.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { hidesText, showsSomething } from "../../protocol/names.ts";
import { operation } from "../../protocol/operation.ts";
import { givenName, id, name, plainPattern, position, text, time } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

export const channel = z
  .object({
    id,
    server_id: id,
    name: z.string(),
    type: z.enum(["text", "voice"]),
    category: z.string().nullable(),
    position: z.int(),
    last_message_id: id.nullable(),
    created_at: time,
  })
  .meta({ id: "Channel" });

export const readyShapes = { server: z.object({ channels: z.array(channel) }) };

export type Channel = z.infer<typeof channel>;

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
const params = z.object({ id });

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
    category: givenCategory.optional(),
    position: position.optional(),
  }),
  answers: { 201: { description: "The channel", body: channel } },
  errors: ["forbidden", "not_found", "conflict"],
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
  answers: { 200: { description: "The channels, by position", body: z.array(channel) } },
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
  answers: { 200: { description: "The channel", body: channel } },
});

export const updateChannel = operation({
  name: "updateChannel",
  method: "PATCH",
  path: "/channels/{id}",
  summary: "Change a channel; its server and type stay",
  caller: "account",
  lane: "write",
  params,
  body: z.object({
    name: givenName(limits.channel_name_max).optional(),
    category: givenCategory.optional(),
    position: position.optional(),
  }),
  answers: { 200: { description: "The channel as it is now", body: channel } },
  errors: ["forbidden"],
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

export const channelCreated = event(kinds.channelCreated, {
  summary:
    "A channel was made, or came into the listener's sight. It is read, unless a READ_STATE_UPDATE without a number follows",
  data: channel,
  happensIn: "channel",
});
export const channelUpdated = event(kinds.channelUpdated, {
  summary: "A channel changed",
  data: channel,
  happensIn: "channel",
  forgets: ({ id }) => [`channel:${id}`],
});
export const channelDeleted = event(kinds.channelDeleted, {
  summary: "A channel was deleted, or went out of the listener's sight",
  data: z.object({ id }),
  happensIn: "channel",
  forgets: ({ id }) => [`channel:${id}`],
  revokes: true,
});
