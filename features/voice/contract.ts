// Voice: tokens for rooms of the media service, the people in them, and the media service's webhooks.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { operation } from "../../protocol/operation.ts";
import { id, time } from "../../protocol/shapes.ts";
import { voiceState } from "../../protocol/voice.ts";
import * as kinds from "./events.ts";

export const readyShapes = {
  server: z.object({
    voice: z.array(voiceState).meta({ description: "One entry for each person in a room" }),
  }),
};

const voiceParticipant = z
  .object({
    user_id: id,
    display_name: z.string(),
    muted: z.boolean(),
    deafened: z.boolean(),
    joined_at: time,
  })
  .meta({ id: "VoiceParticipant" });

export type VoiceParticipant = z.infer<typeof voiceParticipant>;

export const createVoiceToken = operation({
  name: "createVoiceToken",
  method: "POST",
  path: "/voice/token",
  summary: "A token, good for five minutes, for joining the room of a voice channel or of a conversation",
  caller: "account",
  lane: "read",
  body: z.object({
    room_name: z.string().meta({ description: "The id of the voice channel or conversation" }),
  }),
  answers: {
    200: {
      description: "The token, and the address of the media service",
      body: z.object({ token: z.string(), livekit_url: z.string().meta({ format: "uri" }) }),
    },
  },
  errors: ["not_found", "forbidden", "blocked", "not_configured"],
});

export const listVoiceParticipants = operation({
  name: "listVoiceParticipants",
  method: "GET",
  path: "/voice/rooms/{roomID}/participants",
  summary: "Who is in the room of a voice channel or of a conversation, by when they came",
  caller: "account",
  lane: "read",
  params: z.object({ roomID: id }),
  answers: { 200: { description: "Those who are in it", body: z.array(voiceParticipant) } },
  errors: ["forbidden", "blocked", "not_configured", "unavailable"],
});

export const receiveVoiceWebhook = operation({
  name: "receiveVoiceWebhook",
  method: "POST",
  path: "/voice/webhook",
  summary: "What the media service tells, signed with its key over the whole body",
  caller: "public",
  lane: "own",
  consumes: "application/webhook+json",
  answers: { 204: { description: "It is noted; an event told again changes nothing" } },
  errors: ["bad_signature", "malformed_json", "too_large"],
});

const who = z.object({ channel_id: id, user_id: id });

export type VoiceOccupant = z.infer<typeof who>;

export const voiceJoined = event(kinds.voiceJoined, {
  summary: "Somebody came into a voice room",
  data: who,
  happensIn: "channel",
  live: true,
});
export const voiceLeft = event(kinds.voiceLeft, {
  summary: "Somebody left a voice room",
  data: who,
  happensIn: "channel",
  live: true,
});

export const voiceMuted = event(kinds.voiceMuted, {
  summary: "Somebody in a voice room turned their microphone off or on",
  data: who.extend({ muted: z.boolean() }),
  happensIn: "channel",
  live: true,
});

export const voiceDeafened = event(kinds.voiceDeafened, {
  summary: "Somebody in a voice room stopped listening, or listens again",
  data: who.extend({ deafened: z.boolean() }),
  happensIn: "channel",
  live: true,
});

export const muteFrame = z
  .object({ channel_id: id, muted: z.boolean() })
  .meta({ description: "Turns one's own microphone in a voice room off or on" });
export const deafenFrame = z
  .object({ channel_id: id, deafened: z.boolean() })
  .meta({ description: "Says whether one listens in a voice room" });
