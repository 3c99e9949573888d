// Read states: the last message that a person has read in each channel, and how often later ones mention them.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

export const readState = z
  .object({
    channel_id: id,
    last_read_id: id.nullable().meta({
      description:
        "The newest message read, or an id of the moment of joining the server; null: nothing is read",
    }),
    mention_count: z
      .int()
      .min(0)
      .max(kinds.mentionsCounted)
      .meta({
        description: `Later messages that mention the reader; ${kinds.mentionsCounted} means so many or more`,
      }),
  })
  .meta({ id: "ReadState" });

/** The part of READY about read states. */
export const readyShapes = {
  whole: z.object({
    read_states: z
      .array(readState)
      .meta({ description: "Of every text channel in `servers`; empty for a bot" }),
  }),
};

export type ReadState = z.infer<typeof readState>;

export const markChannelRead = operation({
  name: "markChannelRead",
  method: "PUT",
  path: "/channels/{channelID}/read",
  summary: "Read a channel up to a message, also back; stored within a second",
  caller: "person",
  lane: "read",
  params: z.object({ channelID: id }),
  body: z.object({
    message_id: id.nullable().meta({
      description: "A message's id, whether the message is there or not; null: nothing is read",
    }),
  }),
  answers: { 204: { description: "It is read so far" } },
  errors: ["invalid_request"],
});

export const markServerRead = operation({
  name: "markServerRead",
  method: "POST",
  path: "/servers/{id}/read",
  summary: "Read everything that one sees of a server; stored within a second",
  caller: "person",
  lane: "read",
  cost: { worst: 8 },
  params: z.object({ id }),
  answers: { 204: { description: "Everything there is read" } },
});

/** Sent to the person alone when a marker was stored that differs from the previous one. */
export const readStateUpdated = event(kinds.readStateUpdated, {
  summary: "A marker of the person's was moved and stored",
  data: readState,
  happensIn: "person",
  replaces: ({ channel_id }) => channel_id,
});
