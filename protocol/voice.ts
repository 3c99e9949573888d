// People in voice rooms, and calls that ring: the shapes that the entries of servers and of conversations share.
import { z } from "zod";
import { id, time } from "./shapes.ts";

/** A person in a room. */
export const voiceState = z
  .object({
    channel_id: id,
    user_id: id,
    muted: z.boolean(),
    deafened: z.boolean(),
    joined_at: time,
  })
  .meta({ id: "VoiceState" });

export type VoiceState = z.infer<typeof voiceState>;

/** A call that rings in a conversation. */
export const ringingCall = z
  .object({
    user_id: id.meta({ description: "The person who calls" }),
    until: time,
  })
  .meta({ id: "Call" });

export type RingingCall = z.infer<typeof ringingCall>;
