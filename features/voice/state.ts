// A client's copy of the people in the voice rooms of a server.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { eachAfter, withFields, without } from "../../protocol/unchanged.ts";
import type { VoiceState } from "../../protocol/voice.ts";
import { channelDeleted } from "../channels/events.ts";
import { voiceDeafened, voiceJoined, voiceLeft, voiceMuted } from "./events.ts";

/** READY's `voice` of a server. A person who joins is neither muted nor deafened until an event says so. */
export function voiceAfter(voice: readonly VoiceState[], frame: ServerFrame): readonly VoiceState[] {
  if (is(frame, voiceJoined)) {
    const { channel_id, user_id } = frame.data;
    if (voice.some((state) => concerns(state, frame.data))) return voice;
    return [...voice, { channel_id, user_id, muted: false, deafened: false, joined_at: frame.ts }];
  }
  if (is(frame, voiceLeft)) return without(voice, (state) => concerns(state, frame.data));
  if (is(frame, voiceMuted) || is(frame, voiceDeafened)) {
    const { data } = frame;
    return eachAfter(voice, (state) => (concerns(state, data) ? withFields(state, data) : state));
  }
  if (is(frame, channelDeleted)) return without(voice, (state) => state.channel_id === frame.data.id);
  return voice;
}

function concerns(state: VoiceState, data: { channel_id: string; user_id: string }): boolean {
  return state.channel_id === data.channel_id && state.user_id === data.user_id;
}
