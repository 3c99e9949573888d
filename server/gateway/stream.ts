// Sends one stream's events to this process's sockets: in number order, without gaps, each published once.
import type { LiveFrame, LoggedEvent } from "../bus/bus.ts";
import { pieces } from "../house/pieces.ts";
import type { StreamKey } from "../place.ts";
import type { FanOutShare } from "./fan-out-share.ts";
import type { Socket } from "./socket.ts";

interface StreamCallbacks {
  /** Shared by all streams of the process. */
  share: FanOutShare;
  publish(event: LoggedEvent): void;
  /** Sends the event to each of these followers directly. */
  send(event: LoggedEvent, followers: readonly Socket[]): void;
  /** Returns the followers whose rights the event may change. */
  concerned(event: LoggedEvent, followers: ReadonlySet<Socket>): Iterable<Socket>;
  /** Updates these followers' audiences to their rights after the event, which is about to go out. */
  settle(event: LoggedEvent, followers: readonly Socket[]): Promise<void>;
  /** Called when an event that may change which sockets follow has gone out. */
  went(stream: Stream, event: LoggedEvent): void;
  /** Takes an event that was in the log before the stream began: no follower misses it, but it may make new members. */
  passed(event: LoggedEvent): void;
  /** Called when every event has gone out, and followers hold what their rights allow. */
  rested(stream: Stream): void;
  /** Reads events from the log: after number `after`, up to and including `upTo`. */
  read(after: number, upTo: number): Promise<LoggedEvent[]>;
  /** Called when it is unknown who heard an event, or what it changed: followers and people it names start over. */
  failed(event: LoggedEvent, error: unknown): void;
}

/** Collects a stream's events for a socket whose state loads; the socket gets them afterwards. */
export interface Joiner {
  missed: LoggedEvent[];
  missedLive: LiveFrame[];
}

/** The joiners of a socket whose state loads, by stream. */
export type Joined = ReadonlyMap<StreamKey, Joiner>;

/** Forgets the live frames so far: the state, which is about to be read, contains them. */
export function forgetLive(joined: Joined): void {
  for (const joiner of joined.values()) joiner.missedLive = [];
}

/** Events that a joining socket may fall behind while its state loads; also the longest gap read at once. */
export const mostMissed = 20_000;

/** The length in characters above which a frame gains nothing from being batched with others by the runtime. */
const longFrame = 2048;
/** Characters of long frames sent in one piece; each counts as several, as slow readers' buffers grow by them. */
const longAtOnce = 256 * 1024;
const longCountsAs = 4;

/** The most characters of events that may wait to go out; followers of a stream further behind should start over. */
const mostWaiting = 32 * 1024 * 1024;

/** How long a missing number may be in transit from another commit before the log is read, in milliseconds. */
const gapMs = 20;

export class Stream {
  readonly key: StreamKey;
  readonly ready: Promise<void>;
  readonly followers = new Set<Socket>();
  readonly joiners = new Set<Joiner>();
  readonly #callbacks: StreamCallbacks;
  readonly #waiting = new Map<number, LoggedEvent>();
  #waitingCharacters = 0;
  #isTooFarBehind = false;
  /** Number of the last event that went out; -1 until known. */
  #head = -1;
  #draining = false;
  #gapTimer: ReturnType<typeof setTimeout> | undefined;

  /** `head`: the number of the last event in the log, read when the stream begins. */
  constructor(key: StreamKey, head: Promise<number>, callbacks: StreamCallbacks) {
    this.key = key;
    this.#callbacks = callbacks;
    this.ready = head.then((head) => {
      this.#head = head;
      for (const [seq, event] of this.#waiting) {
        if (seq > head) continue;
        this.#drop(event);
        this.#attempt(event, () => this.#callbacks.passed(event));
      }
      this.#drain();
    });
  }

  get isIdle(): boolean {
    return this.followers.size === 0 && this.joiners.size === 0 && this.isAtRest;
  }

  /** True if every event has gone out, and followers hold what their rights allow. */
  get isAtRest(): boolean {
    return this.#waiting.size === 0 && !this.#draining;
  }

  /** Events that have not been sent yet. */
  get waiting(): Iterable<LoggedEvent> {
    return this.#waiting.values();
  }

  /** Takes a committed event; it goes out when all earlier ones have. */
  offer(event: LoggedEvent): void {
    if (event.seq <= this.#head) {
      this.#attempt(event, () => this.#callbacks.passed(event));
      return;
    }
    const isNext = event.seq === this.#head + 1 && !this.#draining && event.touches.length === 0;
    if (isNext && !this.#isHeavy(event) && this.#callbacks.share.takes(this.#weightOf(event))) {
      this.#letOut(event);
      if (this.#waiting.size > 0) this.#drain();
      return;
    }
    this.#keep(event);
    if (this.#head >= 0) this.#drain();
  }

  #keep(event: LoggedEvent): void {
    if (this.#waiting.has(event.seq)) return;
    this.#waiting.set(event.seq, event);
    this.#waitingCharacters += event.frame.length;
    if (this.#waitingCharacters <= mostWaiting || this.#isTooFarBehind) return;
    this.#isTooFarBehind = true;
    this.#callbacks.failed(
      event,
      new Error("more is written in a server than can be told to all who listen"),
    );
  }

  #drop({ seq, frame }: LoggedEvent): void {
    if (this.#waiting.delete(seq)) this.#waitingCharacters -= frame.length;
    if (this.#waiting.size === 0) this.#isTooFarBehind = false;
  }

  /** Resolves when every event up to number `seq`, which is committed, has gone out. */
  async reached(seq: number): Promise<void> {
    // The bus delivers an event once it is on the disk, mostly a moment after it can be read. So the first waits are
    // short, and a socket seldom waits for all of `gapMs`.
    for (let waitMs = 1; this.#head < seq; waitMs = Math.min(2 * waitMs, gapMs)) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      // While the stream drains, the next event is here and its rights are being settled: it is not missing.
      if (waitMs === gapMs && this.#head < seq && !this.#draining)
        for (const event of await this.#callbacks.read(this.#head, seq)) this.offer(event);
    }
  }

  close(): void {
    clearTimeout(this.#gapTimer);
  }

  /** Sends waiting events in number order. A failing one blocks none: sockets that may have missed it are ended. */
  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    for (let event = this.#next(); event; event = this.#next()) {
      const isHeavy = this.#isHeavy(event);
      const weight = this.#weightOf(event);
      if (!isHeavy && !this.#callbacks.share.takes(weight)) await this.#callbacks.share.turn(weight);
      try {
        const settled = new Set<Socket>();
        for (
          let some = this.#unsettled(event, settled);
          some.length > 0;
          some = this.#unsettled(event, settled)
        )
          await this.#callbacks.settle(event, some);
      } catch (error) {
        this.#callbacks.failed(event, error);
      }
      if (isHeavy) await this.#letOutInPieces(event);
      else this.#letOut(event);
      this.#drop(event);
    }
    this.#draining = false;
    if (this.#waiting.size > 0) this.#awaitGap();
    else this.#callbacks.rested(this);
  }

  /** Returns the event's characters, counted once per follower, and once for making it. */
  #weightOf({ frame }: LoggedEvent): number {
    return frame.length * (this.followers.size + 1);
  }

  #isHeavy({ frame }: LoggedEvent): boolean {
    return frame.length > longFrame && frame.length * this.followers.size > longAtOnce;
  }

  #next(): LoggedEvent | undefined {
    return this.#waiting.get(this.#head + 1);
  }

  // Rights change ahead of the event: a socket that is cut off in between has not heard the event, so its resume shows
  // that its rights changed. New followers may come while the others are settled.
  #unsettled(event: LoggedEvent, settled: Set<Socket>): Socket[] {
    if (event.touches.length === 0 || event.ends !== null) return [];
    const some = [...this.#callbacks.concerned(event, this.followers)].filter(
      (socket) => !settled.has(socket),
    );
    for (const socket of some) settled.add(socket);
    return some;
  }

  #letOut(event: LoggedEvent): void {
    this.#head = event.seq;
    this.#tellJoiners(event);
    this.#attempt(event, () => {
      this.#callbacks.publish(event);
      if (event.touches.length > 0) this.#callbacks.went(this, event);
    });
  }

  /** Sends to some followers at a time. A socket that begins to follow meanwhile was a joiner, and has the event. */
  async #letOutInPieces(event: LoggedEvent): Promise<void> {
    const { frame } = event;
    this.#tellJoiners(event);
    for (const some of pieces([...this.followers], () => frame.length, longAtOnce)) {
      await this.#callbacks.share.turn(frame.length * some.length * longCountsAs);
      this.#attempt(event, () => this.#callbacks.send(event, some));
    }
    this.#head = event.seq;
    if (event.touches.length > 0) this.#attempt(event, () => this.#callbacks.went(this, event));
  }

  #tellJoiners(event: LoggedEvent): void {
    // One more than `mostMissed` is kept: it shows that there were too many.
    for (const joiner of this.joiners) if (joiner.missed.length <= mostMissed) joiner.missed.push(event);
  }

  #attempt(event: LoggedEvent, deed: () => void): void {
    try {
      deed();
    } catch (error) {
      this.#callbacks.failed(event, error);
    }
  }

  // Events of several connections may arrive out of order: the missing number is either about to arrive, or in the log.
  #awaitGap(): void {
    this.#gapTimer ??= setTimeout(async () => {
      this.#gapTimer = undefined;
      if (this.#waiting.size === 0) return;
      const upTo = Math.min(...this.#waiting.keys()) - 1;
      const missing = await this.#callbacks.read(this.#head, upTo).catch(() => []);
      for (const event of missing) if (event.seq > this.#head) this.#keep(event);
      await this.#drain();
    }, gapMs);
  }
}
