// Messages outside the list that replies refer to: fetched once each, updated by events, limited in number.
import { CallError } from "../../../../client/call.ts";
import type { Chat } from "../../../../client/chat.ts";
import { ready, resumed } from "../../../../client/ready.ts";
import { is } from "../../../../protocol/event.ts";
import { listMessages } from "../../calls.ts";
import type { Message } from "../../contract.ts";
import { messageDeleted, messageUpdated } from "../../events.ts";

const mostKept = 500;

/** The most requests at once; a page of replies does not fetch all of theirs together. */
const mostAtOnce = 4;
/** Delays before those that could not be fetched are asked for again, in milliseconds: twice as long each time. */
const restMs = { first: 3000, most: 60_000 };

class Originals {
  readonly #chat: Chat;
  /** In order of insertion. */
  readonly #known = new Map<string, Message | "gone">();
  /** The channel to search, by message id. */
  readonly #wanted = new Map<string, string>();
  readonly #underWay = new Set<string>();
  readonly #watchers = new Set<() => void>();
  #running = 0;
  #restMs = restMs.first;
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Originals loaded before the last READY: events about them may have been missed. */
  #stale = new Set<string>();
  /** Rises when rows have to ask again. */
  times = 0;

  constructor(chat: Chat) {
    this.#chat = chat;
    chat.listen((frame) => {
      if (is(frame, ready)) this.#stale = new Set(this.#known.keys());
      if (is(frame, ready) || is(frame, resumed)) this.#askAgain();
      if (is(frame, messageDeleted)) this.#changed(frame.data.id, () => "gone");
      if (is(frame, messageUpdated))
        this.#changed(frame.data.id, (before) => ({ ...before, content: frame.data.content }));
    });
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  known(id: string): Message | "gone" | undefined {
    return this.#known.get(id);
  }

  fetch(channelId: string, id: string): void {
    const isKnown = this.#known.has(id) && !this.#stale.has(id);
    if (isKnown || this.#wanted.has(id) || this.#underWay.has(id)) return;
    this.#wanted.set(id, channelId);
    if (this.#running < mostAtOnce) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running++;
    for (const [id, channelId] of this.#wanted) {
      this.#wanted.delete(id);
      await this.#fetchOne(channelId, id);
    }
    this.#running--;
  }

  /** Fetches the first message from an id on: that one, or the next if it is deleted. */
  async #fetchOne(channelId: string, id: string): Promise<void> {
    this.#underWay.add(id);
    try {
      const { items } = await listMessages({
        params: { channelID: channelId },
        query: { around: id, limit: "1" },
      });
      this.#restMs = restMs.first;
      this.#stale.delete(id);
      this.#keep(id, items.find((each) => each.id === id) ?? "gone");
    } catch (error) {
      if (error instanceof CallError && error.passes) this.#askLater(error.retryAfter);
    }
    this.#underWay.delete(id);
  }

  /** Once for all that failed; `retryAfter` in seconds. Without a connection, the next one tells that rows can ask. */
  #askLater(retryAfter = 0): void {
    if (this.#rest) return;
    const rest = Math.max(this.#restMs, retryAfter * 1000);
    this.#restMs = Math.min(2 * this.#restMs, restMs.most);
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      if (this.#chat.state.connection.is === "live") this.#askAgain();
    }, rest);
  }

  #askAgain(): void {
    this.times++;
    this.#tell();
  }

  #changed(id: string, change: (before: Message) => Message | "gone"): void {
    const before = this.#known.get(id);
    if (before !== undefined && before !== "gone") this.#keep(id, change(before));
  }

  #keep(id: string, original: Message | "gone"): void {
    this.#known.set(id, original);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
    this.#tell();
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

const byChat = new WeakMap<Chat, Originals>();

export function originalsOf(chat: Chat): Originals {
  const originals = byChat.get(chat) ?? new Originals(chat);
  byChat.set(chat, originals);
  return originals;
}
