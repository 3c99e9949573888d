// Unsent messages: stored until the server has them, sent in order per channel, and never twice.
import { createMessage } from "../features/messages/calls.ts";
import type { Message, SharedMessage } from "../features/messages/contract.ts";
import { messageCreated } from "../features/messages/events.ts";
import { backOffMs } from "./back-off.ts";
import { CallError } from "./call.ts";
import type { Chat } from "./chat.ts";
import { type Copy, copyAfter } from "./copy.ts";
import { Heard } from "./heard.ts";
import { Keeping } from "./keeping.ts";
import { type Later, later } from "./later.ts";
import { randomId } from "./random-id.ts";
import type { Unsent, UnsentStore } from "./unsent.ts";

/** How long the server remembers a nonce, in milliseconds, minus a minute for the request. */
const knownMs = 24 * 3600_000 - 60_000;

interface OutboxOptions {
  chat: Chat;
  store: UnsentStore;
  later?: Later;
  random?: () => number;
  now?: () => number;
}

/** The longest delay before a retry, in milliseconds, whatever a server or a proxy asks for. */
const longestWaitMs = 600_000;

export class Outbox {
  readonly #options: Required<OutboxOptions>;
  readonly #watchers = new Set<() => void>();
  #unsent: readonly Unsent[] = [];
  #shown: readonly Unsent[] = [];
  /** The signed-in person according to the copy; a change triggers another check. */
  #ownId: string | undefined;
  /** Channels with a message being sent. */
  readonly #busy = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** For each reading of the store, the nonces that its result may still contain though other pages dropped them. */
  readonly #readings = new Set<Set<string>>();
  readonly #keeping: Keeping;
  /** True if sending is suspended, as the author may no longer be the signed-in person. */
  #isHeld = false;
  #cancelTry = () => {};

  constructor(options: OutboxOptions) {
    this.#options = { later, random: Math.random, now: Date.now, ...options };
    this.#keeping = new Keeping(options.store);
    options.chat.listen((frame) => {
      if (frame.type === messageCreated.type) this.#posted(frame.data as SharedMessage);
    });
    options.store.onDropped?.((nonce) => {
      for (const gone of this.#readings) gone.add(nonce);
      this.#forget(nonce);
    });
    this.#ownId = options.chat.state.copy?.user.id;
    let windows = options.chat.state.copy?.windows;
    let isLive = options.chat.state.connection.is === "live";
    options.chat.subscribe(() => {
      const { copy, connection } = options.chat.state;
      const cameBack = !isLive && connection.is === "live";
      isLive = connection.is === "live";
      const isOther = copy !== undefined && copy.user.id !== this.#ownId;
      if (isOther) {
        this.#ownId = copy.user.id;
        this.#become(this.#unsent);
      }
      if (copy && copy.windows !== windows) this.#found(copy);
      windows = copy?.windows;
      if (cameBack || isOther) this.sendNow();
    });
  }

  /** The unsent messages in the order of writing, without those of an earlier person in this browser. */
  get unsent(): readonly Unsent[] {
    return this.#shown;
  }

  /** True if something would be lost with the page, as the browser could not store it. */
  get isAtRisk(): boolean {
    return this.#keeping.isAtRisk;
  }

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Loads the messages that an earlier page left, or another one that was just closed. */
  async open(): Promise<void> {
    const passedOver = new Set<string>();
    this.#readings.add(passedOver);
    const kept = await this.#options.store.all().catch(() => []);
    this.#readings.delete(passedOver);
    for (const { nonce } of this.#unsent) passedOver.add(nonce);
    const earlier = kept
      .filter(({ nonce }) => !passedOver.has(nonce))
      .map((each): Unsent => (each.state === "sending" ? { ...each, state: "waiting" } : each))
      .sort((one, other) => one.writtenAt - other.writtenAt);
    this.#become([...earlier, ...this.#unsent]);
    this.sendNow();
  }

  /**
   * Adds a message, and sends it as soon as possible, after storing it. Throws if it cannot be added. Resolves once it
   * would not be lost with the page: it is stored, or no longer in the outbox.
   */
  add(message: Pick<Unsent, "channelId" | "content" | "replyTo" | "attachments">): Promise<void> {
    const authorId = this.#ownId;
    if (authorId === undefined) throw new Error("nobody is signed in who could write");
    const nonce = randomId();
    const writtenAt = this.#options.now();
    const unsent: Unsent = { ...message, nonce, authorId, writtenAt, state: "waiting" };
    this.#become([...this.#unsent, unsent]);
    return this.#keep(unsent).then(() => {
      this.#pump();
      return this.#keeping.safe(nonce);
    });
  }

  /** Sends a failed message again, in its old position. */
  retry(nonce: string): void {
    const isOld = this.#unsent.some((each) => each.nonce === nonce && each.isOld);
    this.#update(nonce, {
      state: "waiting",
      failure: undefined,
      nextTryAt: undefined,
      isOld: undefined,
      ...(isOld && { confirmedAt: this.#options.now() }),
    });
    this.#pump();
  }

  discard(nonce: string): void {
    this.#remove(nonce);
    this.#pump();
  }

  /** Suspends sending: what one person wrote must never be sent as another one's. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Resumes sending, as the author is signed in. */
  release(): void {
    this.#isHeld = false;
    this.sendNow();
  }

  /** Sends messages that wait for a retry, as the connection is back; delays that the server asked for still apply. */
  sendNow(): void {
    for (const { nonce, state, nextTryAt, failure } of this.#unsent) {
      if (state === "waiting" && nextTryAt && !failure) this.#update(nonce, { nextTryAt: undefined });
    }
    this.#pump();
  }

  /** Sends the first waiting message of each channel. A failed one does not block those after it. */
  #pump(): void {
    this.#cancelTry();
    if (this.#isHeld) return;
    const now = this.#options.now();
    // The server may have it, and have forgotten the nonce: sending it automatically could post it twice.
    for (const { nonce, state, writtenAt, confirmedAt = writtenAt } of this.#shown) {
      if (state === "waiting" && now - confirmedAt > knownMs)
        this.#update(nonce, { state: "failed", isOld: true, nextTryAt: undefined });
    }
    const heads = new Map<string, Unsent>();
    for (const each of this.#shown) {
      if (each.state === "waiting" && !heads.has(each.channelId)) heads.set(each.channelId, each);
    }
    const waits: number[] = [];
    for (const head of heads.values()) {
      if (this.#busy.has(head.channelId)) continue;
      const waitMs = (head.nextTryAt ?? now) - now;
      // A longer delay than the maximum comes from a clock that was set back.
      if (waitMs > 0 && waitMs <= longestWaitMs) waits.push(waitMs);
      else void this.#send(head);
    }
    if (waits.length > 0) this.#cancelTry = this.#options.later(Math.min(...waits), () => this.#pump());
  }

  async #send(unsent: Unsent): Promise<void> {
    const { nonce, channelId, content, replyTo, attachments } = unsent;
    this.#busy.add(channelId);
    this.#update(nonce, { state: "sending", nextTryAt: undefined, failure: undefined });
    const heard = new Heard(this.#options.chat, channelId);
    try {
      const body = { content, nonce, reply_to: replyTo, attachments: [...attachments] };
      const message = await createMessage({ params: { channelID: channelId }, body }, soonEnough());
      this.#options.chat.catchUp();
      this.#show(heard, message);
      this.#remove(nonce);
    } catch (error) {
      this.#failed(nonce, error);
    } finally {
      heard.end();
      this.#busy.delete(channelId);
      this.#pump();
    }
  }

  /** The response may arrive before the event, and after the event of the message's deletion. */
  #show(heard: Heard, message: Message): void {
    const [now] = heard.over([message], false);
    if (!now) return;
    this.#options.chat.change((copy) => {
      const { server_id, created_at } = now;
      const isThere = copy.windows.get(now.channel_id)?.live?.messages.some(({ id }) => id === now.id);
      if (isThere) return copy;
      return copyAfter(copy, {
        ...{ type: messageCreated.type, data: now, ts: created_at },
        ...(server_id !== null && { server_id }),
      });
    });
  }

  #failed(nonce: string, error: unknown): void {
    const refusal = error instanceof CallError ? error : new CallError(0, {});
    // The server had this nonce before, and the message was deleted: its text is not kept here either.
    if (refusal.code === "conflict") {
      this.#remove(nonce);
      return;
    }
    // Its original is deleted: it goes out without it.
    if (refusal.fields[0]?.path === "reply_to") {
      this.#update(nonce, { state: "waiting", replyTo: null });
      return;
    }
    const isSignedOut = refusal.code === "unauthenticated";
    if (isSignedOut) this.hold();
    if (!refusal.passes && !isSignedOut) {
      this.#update(nonce, { state: "failed", failure: refusal.message, faultId: undefined });
      return;
    }
    const failures = this.#failures.get(nonce) ?? 0;
    this.#failures.set(nonce, failures + 1);
    const told = refusal.retryAfter && Math.min(refusal.retryAfter * 1000, longestWaitMs);
    this.#update(nonce, {
      state: "waiting",
      nextTryAt: this.#options.now() + (told || backOffMs(failures, this.#options.random)),
      // A single fault mostly passes with the next attempt, as during a server's restart.
      faultId: refusal.status >= 500 && failures > 0 ? (refusal.requestId ?? "") : undefined,
      failure: refusal.status === 429 ? refusal.message : undefined,
    });
  }

  /** The event shows that the server has the message, before or instead of the response. */
  #posted({ nonce }: SharedMessage): void {
    if (nonce !== null && this.#unsent.some((each) => each.nonce === nonce)) this.#remove(nonce);
  }

  /** A page of messages shows that the server has it if its event was missed, as after a long sleep. */
  #found({ windows }: Copy): void {
    for (const { nonce, channelId, authorId } of this.#shown) {
      const { live, far } = windows.get(channelId) ?? {};
      const isIt = (each: Message) => each.nonce === nonce && each.author.id === authorId;
      if (live?.messages.some(isIt) || far?.messages.some(isIt)) this.#remove(nonce);
    }
  }

  #update(nonce: string, change: { [key in keyof Unsent]?: Unsent[key] | undefined }): void {
    const unsent = this.#unsent.map((each) =>
      each.nonce === nonce ? (stripped({ ...each, ...change }) as Unsent) : each,
    );
    this.#become(unsent);
    const changed = unsent.find((each) => each.nonce === nonce);
    if (changed && change.state) void this.#keep(changed);
  }

  #keep(message: Unsent): Promise<void> {
    return this.#keeping.keep(message, () => this.#unsent.some(({ nonce }) => nonce === message.nonce));
  }

  #forget(nonce: string): void {
    this.#become(this.#unsent.filter((each) => each.nonce !== nonce));
    this.#keeping.forget(nonce);
    this.#failures.delete(nonce);
  }

  #remove(nonce: string): void {
    this.#forget(nonce);
    void this.#options.store.drop(nonce).catch(() => {});
  }

  #become(unsent: readonly Unsent[]): void {
    this.#unsent = unsent;
    this.#shown = unsent.filter(({ authorId }) => authorId === this.#ownId);
    for (const watcher of this.#watchers) watcher();
  }
}

/** A dead network does not answer for minutes; the nonce makes the next attempt the same message. */
function soonEnough(): AbortSignal {
  return AbortSignal.timeout(30_000);
}

function stripped(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
