// What is heard while an answer is on its way: it may be older than the answer, or newer.
import type { Message } from "../features/messages/contract.ts";
import { messageCreated, messageDeleted, messageUpdated } from "../features/messages/events.ts";
import { messagesAfter } from "../features/messages/state.ts";
import { reactionAdded, reactionRemoved } from "../features/reactions/events.ts";
import { is } from "../protocol/event.ts";
import type { ServerFrame } from "../protocol/frames.ts";
import type { Chat } from "./chat.ts";

/** What is heard of a channel's messages while something is fetched, which may be older than that or newer. */
export class Heard {
  readonly #channelId: string;
  readonly #frames: ServerFrame[] = [];
  readonly end: () => void;

  constructor(chat: Chat, channelId: string) {
    this.#channelId = channelId;
    this.end = chat.listen((frame) => this.#frames.push(frame));
  }

  /** Returns the messages as they are after all that was heard; with the new ones, where they reach to the newest. */
  over(messages: readonly Message[], reachesNewest: boolean): readonly Message[] {
    let after = messages;
    for (const frame of this.#frames) {
      const isChange = is(frame, messageUpdated) || is(frame, messageDeleted);
      const isMissing = is(frame, messageCreated) && !after.some(({ id }) => id === frame.data.id);
      if (isChange || (reachesNewest && isMissing)) after = messagesAfter(after, this.#channelId, frame);
    }
    return after;
  }

  /** Returns the ids of those messages to which a reaction was added or taken back. */
  reacted(messages: readonly Message[]): string[] {
    const ids = this.#frames.flatMap((frame) =>
      is(frame, reactionAdded) || is(frame, reactionRemoved) ? frame.data.message_id : [],
    );
    return messages.map(({ id }) => id).filter((id) => ids.includes(id));
  }
}
