// Calling the people of a conversation, and answering or declining a call.
import type { Chat } from "../../../client/chat.ts";
import { tellRefused } from "../../../web/ui/loading/tell-refused.ts";
import type { OwnConversation } from "../../direct/state.ts";
import { useCall } from "../../voice/view/call-state.ts";
import { join } from "../../voice/view/calling.ts";
import { endCall, startCall } from "../calls.ts";
import { keyOf, ringAgainHere, setOwn, stopHere } from "./ringing-state.ts";

/** Rings for everybody who is not in the room, and joins it. A refusal is shown, and then nothing is joined. */
export async function ring(chat: Chat, conversation: OwnConversation): Promise<void> {
  const { id } = conversation;
  try {
    await startCall({ params: { id } });
  } catch (error) {
    tellRefused(error);
    return;
  }
  const joined = joinUnlessThere(chat, conversation);
  setOwn({ channelId: id, is: "ringing" });
  await joined;
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

/** Stops ringing the others, because the caller has left. It would end by itself, so a failure is not shown. */
export function giveUp(channelId: string): void {
  setOwn(undefined);
  endCall({ params: { id: channelId } }).catch(() => {});
}
