// Frames received during a request: they may be older or newer than its response.
import type { Message } from "../features/messages/contract.ts";
import { messageCreated, messageDeleted, messageUpdated } from "../features/messages/events.ts";
import { messagesAfter } from "../features/messages/state.ts";
import { reactionAdded, reactionRemoved } from "../features/reactions/events.ts";
import { is } from "../protocol/event.ts";
import { heartbeatIntervalMs, type ServerFrame } from "../protocol/frames.ts";
import type { Chat } from "./chat.ts";
import { later } from "./later.ts";
import { ready, resumed } from "./ready.ts";
import { channelIn } from "./servers.ts";

/**
 * The client notices a cut connection within this time, in milliseconds: its next PING goes unanswered. A connection that is
 * still live afterwards has delivered everything that happened before.
 */
const provenMs = 2 * heartbeatIntervalMs;

/** Frames about a channel's messages received during a request, which may be older or newer than its response. */
export class Heard {
  readonly #chat: Chat;
  readonly #channelId: string;
  readonly #frames: ServerFrame[] = [];
  readonly #reacted = new Set<string>();
  /** The channel's server: its stream carries the channel's events. */
  readonly #serverId: string | null | undefined;
  #goOn = () => {};
  readonly end: () => void;

  constructor(chat: Chat, channelId: string) {
    this.#chat = chat;
    this.#channelId = channelId;
    this.#serverId = channelIn(chat.state.copy, channelId)?.server_id;
    this.end = chat.listen((frame) => {
      if (is(frame, reactionAdded) || is(frame, reactionRemoved)) this.#reacted.add(frame.data.message_id);
      else this.#frames.push(frame);
      // During a replay the connection is not live yet.
      if (is(frame, resumed) || is(frame, ready) || (this.#isLive && this.#isOfStream(frame))) this.#goOn();
    });
  }

  /** Applies the received frames to the messages, including new messages if these reach the newest. */
  over(messages: readonly Message[], reachesNewest: boolean): readonly Message[] {
    let after = messages;
    for (const frame of this.#frames) {
      const isChange = is(frame, messageUpdated) || is(frame, messageDeleted);
      const isMissing = is(frame, messageCreated) && !after.some(({ id }) => id === frame.data.id);
      if (isChange || (reachesNewest && isMissing)) after = messagesAfter(after, this.#channelId, frame);
    }
    return after;
  }

  /** Returns the ids of those messages to which reactions were added or removed. */
  reacted(messages: readonly Message[]): string[] {
    return messages.map(({ id }) => id).filter((id) => this.#reacted.has(id));
  }

  /**
   * Returns the ids of fetched messages whose reaction counts may be wrong: `known`, and those of reacted(), possibly
   * twice. If none is known, waits for the next event of the channel's stream, which follows those that the response
   * contains; if the connection is not live, waits for the end of the replay. A connection may look live while its
   * socket is cut; then no event comes.
   */
  async inDoubt(messages: readonly Message[], known: readonly string[]): Promise<readonly string[]> {
    if (!known[0] || !this.#isLive) {
      let cancel = () => {};
      await new Promise<void>((resolve) => {
        this.#goOn = resolve;
        cancel = later(provenMs, () => this.#isLive && resolve());
      });
      cancel();
    }
    return [...known, ...this.reacted(messages)];
  }

  get #isLive(): boolean {
    return this.#chat.state.connection.is === "live";
  }

  #isOfStream({ seq, server_id }: ServerFrame): boolean {
    return seq !== undefined && (server_id ?? null) === this.#serverId;
  }
}
