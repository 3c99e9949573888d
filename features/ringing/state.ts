// A client's copy of the voice room of a conversation: the people in it, and the call that rings for the reader.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { withFields } from "../../protocol/unchanged.ts";
import type { OwnConversation } from "../direct/state.ts";
import { voiceAfter } from "../voice/state.ts";
import { callEnded, callRings } from "./events.ts";

/** Returns a conversation after a frame about its room; the same one after any other frame. */
export function roomAfter(conversation: OwnConversation, frame: ServerFrame): OwnConversation {
  if (Object(frame.data).channel_id !== conversation.id) return conversation;
  let { call } = conversation;
  if (is(frame, callRings)) {
    const { user_id, until } = frame.data;
    call = { user_id, until };
  } else if (is(frame, callEnded)) call = null;
  return withFields(conversation, { call, voice: voiceAfter(conversation.voice, frame) });
}
