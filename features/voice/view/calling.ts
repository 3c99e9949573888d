// Joining and leaving the call of a room. The media library is loaded with the first call.
import { CallError } from "../../../client/call.ts";
import type { Chat } from "../../../client/chat.ts";
import type { Channel } from "../../channels/contract.ts";
import { createVoiceToken } from "../calls.ts";
import type { Call } from "./call.ts";
import { changeCall, useCall } from "./call-state.ts";

let current: Call | undefined;
/** Rises with each joining and leaving: what an earlier one still waits for does not count. */
let turn = 0;

/** A call in another room ends. Whatever goes wrong stands in the call's state. */
export async function join(chat: Chat, channel: Channel): Promise<void> {
  leave();
  const mine = ++turn;
  useCall.setState({ call: joining(channel) });
  try {
    const [{ Call }, { token, livekit_url }] = await Promise.all([
      import("./call.ts"),
      createVoiceToken({ body: { room_name: channel.id } }),
    ]);
    if (mine !== turn) return;
    current = new Call(chat, channel);
    await current.join(livekit_url, token);
  } catch (error) {
    if (mine !== turn) return;
    current?.leave();
    current = undefined;
    const trouble =
      error instanceof CallError
        ? ({ is: "refused by the server", error } as const)
        : ({ is: "media unreachable" } as const);
    changeCall({ is: "over", trouble });
  }
}

export function leave(): void {
  turn++;
  current?.leave();
  current = undefined;
  useCall.setState({ call: undefined });
}

/** Undefined outside of a call that was joined. */
export function currentCall(): Call | undefined {
  return current;
}

function joining(channel: Channel) {
  return {
    channel,
    is: "joining" as const,
    trouble: undefined,
    talkers: [],
    screens: [],
    isMuted: false,
    isDeafened: false,
    isListener: false,
    mayShare: false,
    isSharing: false,
    needsPress: false,
  };
}
