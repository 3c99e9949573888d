// Ringing: a person calls the others of a conversation into its voice room.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import { ringingCall } from "../../protocol/voice.ts";
import * as kinds from "./events.ts";

const params = z.object({ id });

export const startCall = operation({
  name: "startCall",
  method: "POST",
  path: "/channels/{id}/call",
  summary: "Ring the others of a conversation for 30 seconds; while it rings, nothing more happens",
  caller: "person",
  lane: "write",
  rate: "calls",
  params,
  answers: { 204: { description: "It rings, unless everybody is in the room already" } },
  errors: ["forbidden", "blocked", "conflict", "not_configured"],
});

export const endCall = operation({
  name: "endCall",
  method: "DELETE",
  path: "/channels/{id}/call",
  summary: "Decline a call that rings for the caller of this; the person who rings ends it for all",
  caller: "person",
  lane: "write",
  params,
  answers: { 204: { description: "It does not ring for the caller" } },
  errors: ["forbidden", "blocked", "conflict", "not_configured"],
});

const ringing = ringingCall.extend({ channel_id: id });

export type Ringing = z.infer<typeof ringing>;

export const callRings = event(kinds.callRings, {
  summary: "Somebody calls the person into the voice room of a conversation",
  data: ringing,
  happensIn: "person",
  live: true,
});

const ringingEnded = z.object({
  channel_id: id,
  reason: z.enum(["answered", "declined", "missed", "ended"]).meta({
    description:
      "`answered`: the person came into the room, or of the one who rang: somebody did; `declined`; `missed`: nobody did either in time; `ended`: taken back, or it may not go on",
  }),
});

export type RingingEnded = z.infer<typeof ringingEnded>;

export const callEnded = event(kinds.callEnded, {
  summary: "A call rings no more for the person; for the one who rings, it does so for nobody",
  data: ringingEnded,
  happensIn: "person",
  live: true,
});
