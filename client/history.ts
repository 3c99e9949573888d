// Fetches the messages of channels in pages, and applies the events that arrive during a request.
import type { Message } from "../features/messages/contract.ts";
import type { Chat } from "./chat.ts";
import { withWindow } from "./copy.ts";
import { Heard } from "./heard.ts";
import { listPage, type Page, type Place } from "./message-page.ts";
import { channelIn } from "./servers.ts";
import {
  atPresent,
  atRest,
  shownOf,
  type Window,
  withAround,
  withEach,
  withLive,
  withNewer,
  withOlder,
} from "./window.ts";

/** The number of channels whose newest messages stay in memory. */
const mostChannels = 20;
/** Timeout of a page, in milliseconds: a dead network does not answer for minutes. */
const answerMs = 30_000;

const idShape = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

type Change = (page: Page) => (window: Window | undefined) => Window | undefined;

export class History {
  readonly #chat: Chat;
  /** Running requests by channel and position. */
  readonly #fetching = new Map<string, Promise<void>>();
  /** Aborts the running requests, by channel. */
  readonly #endings = new Map<string, AbortController>();
  /** By channel, the generation of the copy in which its newest messages were fetched. */
  readonly #freshAt = new Map<string, number>();
  /** Channels in the order in which they were last shown. */
  #shown: readonly string[] = [];

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  /** True if the newest messages are loaded and no event was missed; before READY, as far as an earlier page knew. */
  isFresh(channelId: string): boolean {
    const isKnown = this.#window(channelId)?.live !== undefined;
    const { generation } = this.#chat.state;
    return isKnown && (generation === 0 || this.#freshAt.get(channelId) === generation);
  }

  /** Fetches the newest messages, replacing all loaded ones; with `keepsPlace`, those that are shown stay. */
  newest(channelId: string, keepsPlace?: boolean): Promise<void> {
    return this.#once(channelId, {}, ({ messages, hasOlder }) => {
      this.#noteFresh(channelId);
      return (window) => withLive(keepsPlace ? window : undefined, { messages, hasOlder });
    });
  }

  /** Fetches the page before the oldest message shown. */
  older(channelId: string): Promise<void> {
    const before = shownOf(this.#window(channelId) ?? {}).messages.at(-1)?.id;
    if (before === undefined) return Promise.resolve();
    return this.#once(
      channelId,
      { before },
      ({ messages, hasOlder }) =>
        (window) =>
          window && withOlder(window, before, { messages, hasOlder }),
    );
  }

  /** Fetches the page after the newest message shown, unless that is the newest of all. */
  newer(channelId: string): Promise<void> {
    const after = this.#window(channelId)?.far?.messages[0]?.id;
    if (after === undefined) return Promise.resolve();
    return this.#once(
      channelId,
      { after },
      ({ messages, reachesNewest }) =>
        (window) =>
          window && withNewer(window, after, messages, !reachesNewest),
    );
  }

  /**
   * Shows the page around an id, whether a message with that id exists or not. It may include the newest message. It is
   * not shown if the reader has left for somewhere else (`isLeft`) when it comes.
   */
  around(channelId: string, id: string, isLeft?: () => boolean): Promise<void> {
    // An address may end in anything: then the newest messages are shown.
    if (!idShape.test(id)) return this.isFresh(channelId) ? Promise.resolve() : this.newest(channelId);
    return this.#once(channelId, { around: id }, (page) => {
      if (isLeft?.()) return (window) => window;
      const { messages, hasOlder } = page;
      const hasNewer = this.#hasNewer(channelId, page);
      if (!hasNewer) this.#noteFresh(channelId);
      return (window) => withAround(window, { messages, hasOlder }, hasNewer);
    });
  }

  /**
   * Refetches the messages around a given one, and the newest, after events were missed. Both are replaced at once, so
   * that messages never disappear meanwhile.
   */
  async renew(channelId: string, near: string | undefined): Promise<void> {
    if (!near) return this.newest(channelId);
    const { generation } = this.#chat.state;
    const heard = new Heard(this.#chat, channelId);
    try {
      const signal = this.#ending(channelId);
      const [newest, around] = await Promise.all([
        listPage(channelId, {}, signal),
        listPage(channelId, { around: near }, signal),
      ]);
      this.#chat.catchUp();
      if (generation !== this.#chat.state.generation) return;
      // A jump that was answered meanwhile stays.
      if (!this.#window(channelId)?.isStale) return this.newest(channelId, true);
      const live = { messages: heard.over(newest.messages, true), hasOlder: newest.hasOlder };
      const messages = heard.over(around.messages, around.reachesNewest);
      const hasNewer = this.#hasNewer(channelId, { ...around, messages });
      this.#noteFresh(channelId);
      this.#become(channelId, () => withAround({ live }, { messages, hasOlder: around.hasOlder }, hasNewer));
      void this.#lookAgain(channelId, newest.messages, heard);
      void this.#lookAgain(channelId, around.messages, heard);
    } finally {
      heard.end();
    }
  }

  /** Leaves a position further up, and shows the newest messages again, fetching them if necessary. */
  async present(channelId: string): Promise<void> {
    if (!this.isFresh(channelId)) await this.newest(channelId);
    this.#become(channelId, (window) => atPresent({ ...window, isHeld: false }));
  }

  /** Sets whether somebody reads further up, where new messages must not push out old ones. */
  hold(channelId: string, isHeld: boolean): void {
    this.#become(channelId, (window) => (!window.isHeld === isHeld ? { ...window, isHeld } : window));
  }

  /** Marks a channel as shown, and drops messages that were shown long ago, or that have missed events. */
  show(channelId: string): void {
    const [current] = this.#shown;
    const before = this.#shown.filter((id) => id !== channelId);
    this.#shown = [channelId, ...before].slice(0, mostChannels);
    this.#chat.change((copy) => {
      const windows = new Map<string, Window>();
      for (const [id, window] of copy.windows) {
        const isWhole = id === channelId && id === current;
        const isKept = this.#chat.state.generation === 0 || (this.#shown.includes(id) && this.isFresh(id));
        const kept = isWhole ? window : isKept ? atRest(window) : undefined;
        if (kept) windows.set(id, kept);
      }
      return { ...copy, windows };
    });
  }

  /** Aborts the requests of a channel, whose reader tries again. */
  giveUp(channelId: string): void {
    this.#endings.get(channelId)?.abort();
    this.#endings.delete(channelId);
    for (const key of this.#fetching.keys()) if (key.startsWith(channelId)) this.#fetching.delete(key);
  }

  #noteFresh(channelId: string): void {
    this.#freshAt.set(channelId, this.#chat.state.generation);
  }

  #ending(channelId: string): AbortSignal {
    const ending = this.#endings.get(channelId) ?? new AbortController();
    this.#endings.set(channelId, ending);
    const fetching = new AbortController();
    // `AbortSignal.any` is younger than the oldest browsers.
    for (const signal of [ending.signal, AbortSignal.timeout(answerMs)])
      signal.addEventListener("abort", () => fetching.abort(signal.reason), { signal: fetching.signal });
    return fetching.signal;
  }

  #become(channelId: string, after: (window: Window) => Window): void {
    this.#chat.change((copy) => {
      const window = copy.windows.get(channelId);
      const changed = window && after(window);
      return !changed || changed === window ? copy : withWindow(copy, channelId, changed);
    });
  }

  /** True if there are newer messages: a full page around an id may still end with the newest one. */
  #hasNewer(channelId: string, { messages, reachesNewest }: Page): boolean {
    const newest = messages[0]?.id;
    const last = channelIn(this.#chat.state.copy, channelId)?.last_message_id ?? "";
    return !reachesNewest && newest !== undefined && newest < last;
  }

  #window(channelId: string): Window | undefined {
    return this.#chat.state.copy?.windows.get(channelId);
  }

  /** Fetches a page unless it is being fetched already, and applies it to the window. Throws CallError. */
  #once(channelId: string, place: Place, change: Change): Promise<void> {
    const key = `${channelId} ${Object.entries(place).join()} ${this.#chat.state.generation}`;
    const running = this.#fetching.get(key);
    if (running) return running;
    const fetching = this.#fetch(channelId, place, change).finally(() => {
      if (this.#fetching.get(key) === fetching) this.#fetching.delete(key);
    });
    this.#fetching.set(key, fetching);
    return fetching;
  }

  async #fetch(channelId: string, place: Place, change: Change): Promise<void> {
    const { generation } = this.#chat.state;
    const heard = new Heard(this.#chat, channelId);
    try {
      const page = await listPage(channelId, place, this.#ending(channelId));
      // Frames that wait for the next paint may be newer than the page.
      this.#chat.catchUp();
      // Events between this page and the fresh READY may have been missed.
      if (generation !== this.#chat.state.generation) return;
      const messages = heard.over(page.messages, page.reachesNewest);
      const toWindow = change({ ...page, messages });
      this.#chat.change((copy) => {
        const window = toWindow(copy.windows.get(channelId));
        return window ? withWindow(copy, channelId, window) : copy;
      });
      void this.#lookAgain(channelId, page.messages, heard);
    } finally {
      heard.end();
    }
  }

  /**
   * Refetches messages of a page whose reactions changed during its request (`before`), or change in the first frame
   * after it or in the replay after a cut: the page may include these changes already. It is shown meanwhile.
   */
  async #lookAgain(channelId: string, messages: readonly Message[], before: Heard): Promise<void> {
    const { generation } = this.#chat.state;
    const heard = new Heard(this.#chat, channelId);
    const ids = await heard.inDoubt(messages, before.reacted(messages));
    heard.end();
    // After a fresh READY the views refetch everything.
    if (!ids[0] || generation !== this.#chat.state.generation) return;
    const part = await import("./look-again.ts").catch(() => undefined);
    await part?.lookAgain(this.#chat, channelId, messages, ids);
  }

  /**
   * Replaces a message by the one in the response, once that arrives. Frames received meanwhile may be newer. Its
   * reactions stay: events keep them up to date, and may still report some that the response includes.
   */
  async replace(channelId: string, answer: Promise<Message>): Promise<void> {
    const heard = new Heard(this.#chat, channelId);
    try {
      const message = await answer;
      this.#chat.catchUp();
      const [now] = heard.over([message], false);
      const after = (each: Message) => (each.id === now?.id ? { ...now, reactions: each.reactions } : each);
      this.#become(channelId, (window) => withEach(window, after));
    } finally {
      heard.end();
    }
  }
}
