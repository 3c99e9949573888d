// Joining and leaving a room's call. The media library is loaded with the first call.
import { CallError } from "../../../client/call.ts";
import type { Chat } from "../../../client/chat.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { createVoiceToken } from "../calls.ts";
import type { Call } from "./call.ts";
import { changeCall, useCall } from "./call-state.ts";

let current: Call | undefined;
/** Increases with each join and leave, to ignore results of earlier ones. */
let turn = 0;

/** Ends a call in another room. Errors are stored in the call's state. */
export async function join(chat: Chat, channel: OwnChannel): Promise<void> {
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

/** Undefined unless a call is joined. */
export function currentCall(): Call | undefined {
  return current;
}

function joining(channel: OwnChannel) {
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
