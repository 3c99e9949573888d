// Calling the people of a conversation, and answering or declining a call.
import type { Chat } from "../../../client/chat.ts";
import { is } from "../../../protocol/event.ts";
import { tellRefused } from "../../../web/ui/loading/tell-refused.ts";
import type { OwnConversation } from "../../direct/state.ts";
import { useCall } from "../../voice/view/call-state.ts";
import { join } from "../../voice/view/calling.ts";
import { endCall, startCall } from "../calls.ts";
import { callEnded } from "../events.ts";
import {
  keyOf,
  type OwnRing,
  ownAfter,
  ringAgainHere,
  setOwn,
  setStarting,
  stopHere,
  useRinging,
} from "./ringing-state.ts";

/**
 * Rings for everybody who is not in the room, and joins it. A refusal is shown, and then nothing is joined; nor is it
 * when the caller has gone to another room, or called others, before the server answered.
 */
export async function ring(chat: Chat, conversation: OwnConversation): Promise<void> {
  const { id } = conversation;
  const isLast = () => useRinging.getState().startingId === id;
  if (isLast()) return;
  const roomBefore = roomNow();
  const { own, stop } = ownFromNow(chat, id);
  setStarting(id);
  try {
    await startCall({ params: { id } });
    // The event of its end may wait for the next paint.
    chat.catchUp();
    if (!isLast() || ![undefined, roomBefore, id].includes(roomNow())) return stopRinging(id);
  } catch (error) {
    tellRefused(error);
    return;
  } finally {
    stop();
    if (isLast()) setStarting(undefined);
  }
  const joined = joinUnlessThere(chat, conversation);
  const { own: before } = useRinging.getState();
  if (before?.is === "ringing" && before.channelId !== id) stopRinging(before.channelId);
  setOwn(own());
  await joined;
}

/** The room that the reader is in; undefined without a call. */
function roomNow(): string | undefined {
  const { call } = useCall.getState();
  return call?.is === "over" ? undefined : call?.channel.id;
}

/**
 * Follows a call from before its request: the event of its end may come before the answer. Ends of other reasons than
 * these are those of a call before it.
 */
function ownFromNow(chat: Chat, channelId: string) {
  let own: OwnRing | undefined = { channelId, is: "ringing" };
  const stop = chat.listen((frame) => {
    if (!is(frame, callEnded) || frame.data.channel_id !== channelId) return;
    const { reason } = frame.data;
    if (reason === "declined" || reason === "answered") own = ownAfter(channelId, reason);
  });
  return { own: () => own, stop };
}

export async function joinUnlessThere(chat: Chat, conversation: OwnConversation): Promise<void> {
  const { call } = useCall.getState();
  if (call?.channel.id !== conversation.id || call.is === "over") await join(chat, conversation);
}

/** The ringing ends on the other devices once the media service reports the arrival; here at once. */
export async function answer(chat: Chat, conversation: OwnConversation): Promise<void> {
  if (conversation.call) stopHere(keyOf(conversation.id, conversation.call));
  await joinUnlessThere(chat, conversation);
}

export async function decline({ id, call }: OwnConversation): Promise<void> {
  const key = call && keyOf(id, call);
  if (key) stopHere(key);
  try {
    await endCall({ params: { id } });
  } catch (error) {
    // The caller still waits for an answer.
    if (key) ringAgainHere(key);
    tellRefused(error);
  }
}

/** Stops ringing the others, because the caller has left. */
export function giveUp(channelId: string): void {
  setOwn(undefined);
  stopRinging(channelId);
}

/** It would end by itself, so a failure is not shown. */
function stopRinging(id: string): void {
  endCall({ params: { id } }).catch(() => {});
}
