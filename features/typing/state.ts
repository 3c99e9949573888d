// A client's copy of who is typing in which channel; entries expire by themselves.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { without } from "../../protocol/unchanged.ts";
import { typingStarted } from "./events.ts";

export interface Typist {
  channel_id: string;
  user_id: string;
  /** When the person last sent the signal, by the server's clock. */
  at: string;
}

/** How long a person is shown as typing after their last signal, in milliseconds. */
const fadesAfterMs = 10_000;

export function typistsAfter(typists: readonly Typist[], frame: ServerFrame): readonly Typist[] {
  if (!is(frame, typingStarted)) return typists;
  const { channel_id, user_id } = frame.data;
  const others = withoutTypist(stillTyping(typists, Date.parse(frame.ts)), channel_id, user_id);
  return [...others, { channel_id, user_id, at: frame.ts }];
}

export function withoutTypist(
  typists: readonly Typist[],
  channelId: string,
  userId: string,
): readonly Typist[] {
  return without(typists, (each) => each.channel_id === channelId && each.user_id === userId);
}

export function stillTyping(typists: readonly Typist[], nowMs: number): readonly Typist[] {
  return without(typists, (typist) => nowMs - Date.parse(typist.at) >= fadesAfterMs);
}
