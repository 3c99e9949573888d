// What is heard while an answer is on its way: it may be older than the answer, or newer.
import type { Message } from "../features/messages/contract.ts";
import { messageCreated, messageDeleted, messageUpdated } from "../features/messages/events.ts";
import { messagesAfter } from "../features/messages/state.ts";
import { reactionAdded, reactionRemoved } from "../features/reactions/events.ts";
import { is } from "../protocol/event.ts";
import { heartbeatIntervalMs, type ServerFrame } from "../protocol/frames.ts";
import type { Chat } from "./chat.ts";
import { later } from "./later.ts";
import { ready, resumed } from "./ready.ts";

/**
 * The client notices a cut connection within this time, in milliseconds: its next PING goes unanswered. A connection that is
 * still live afterwards has delivered everything that happened before.
 */
const provenMs = 2 * heartbeatIntervalMs;

/** What is heard of a channel's messages while something is fetched, which may be older than that or newer. */
export class Heard {
  readonly #chat: Chat;
  readonly #channelId: string;
  readonly #frames: ServerFrame[] = [];
  readonly #reacted = new Set<string>();
  /** The channel's server: its stream carries the channel's events. */
  readonly #serverId: string | undefined;
  #goOn = () => {};
  readonly end: () => void;

  constructor(chat: Chat, channelId: string) {
    this.#chat = chat;
    this.#channelId = channelId;
    this.#serverId = chat.state.copy?.servers.find(({ channels }) =>
      channels.some(({ id }) => id === channelId),
    )?.id;
    this.end = chat.listen((frame) => {
      if (is(frame, reactionAdded) || is(frame, reactionRemoved)) this.#reacted.add(frame.data.message_id);
      else this.#frames.push(frame);
      // During a replay the connection is not live yet.
      if (is(frame, resumed) || is(frame, ready) || (this.#isLive && this.#isOfStream(frame))) this.#goOn();
    });
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

  /** Returns the ids of those messages to which reactions were added or taken back. */
  reacted(messages: readonly Message[]): string[] {
    return messages.map(({ id }) => id).filter((id) => this.#reacted.has(id));
  }

  /**
   * Returns the ids of fetched messages whose reactions may be counted wrong: `known`, and those of reacted(), some of them
   * twice. Where none is known it waits for the next event of the channel's stream, which comes after those that the answer
   * has already, and while the connection is not live for the end of the replay. A connection may look live while its
   * socket is cut; no event comes then.
   */
  async inDoubt(messages: readonly Message[], known: readonly string[]): Promise<readonly string[]> {
    if (!known[0] || !this.#isLive) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#goOn = resolve;
      const cancel = later(provenMs, () => this.#isLive && resolve());
      await promise;
      cancel();
    }
    return [...known, ...this.reacted(messages)];
  }

  get #isLive(): boolean {
    return this.#chat.state.connection.is === "live";
  }

  #isOfStream({ seq, server_id }: ServerFrame): boolean {
    return seq !== undefined && server_id === this.#serverId;
  }
}
