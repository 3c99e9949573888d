// A client's copy of reactions: the count of each emoji, and whether the user's own is included.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { eachAfter } from "../../protocol/unchanged.ts";
import type { Message } from "../messages/contract.ts";
import { reactionAdded, reactionRemoved } from "./events.ts";

export function reactionsAfter(
  messages: readonly Message[],
  ownId: string,
  frame: ServerFrame,
): readonly Message[] {
  if (!is(frame, reactionAdded) && !is(frame, reactionRemoved)) return messages;
  const { message_id, user_id, emoji } = frame.data;
  const step = is(frame, reactionAdded) ? 1 : -1;
  return eachAfter(messages, (message) =>
    message.id === message_id
      ? { ...message, reactions: counted(message.reactions, emoji, step, user_id === ownId) }
      : message,
  );
}

/** An own reaction counts once: the page shows it before its event arrives. */
function counted(
  reactions: Message["reactions"],
  emoji: string,
  step: 1 | -1,
  isOwn: boolean,
): Message["reactions"] {
  const known = reactions.some((each) => each.emoji === emoji);
  const all = known ? reactions : [...reactions, { emoji, count: 0, me: false }];
  return all
    .map((each) => {
      if (each.emoji !== emoji || (isOwn && each.me === step > 0)) return each;
      return { emoji, count: each.count + step, me: isOwn ? step > 0 : each.me };
    })
    .filter((each) => each.count > 0);
}
