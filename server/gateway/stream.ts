// One stream's events on their way to this process's sockets: in number order, without gaps, each published once.
import type { LiveFrame, LoggedEvent } from "../bus/bus.ts";
import { pieces } from "../house/pieces.ts";
import type { StreamKey } from "../place.ts";
import type { FanOutShare } from "./fan-out-share.ts";
import type { Socket } from "./socket.ts";

export interface StreamDoors {
  /** Of all streams of the process. */
  share: FanOutShare;
  publish(event: LoggedEvent): void;
  /** To each of these followers by itself. */
  send(event: LoggedEvent, followers: readonly Socket[]): void;
  /** Of the followers, those whose rights an event may change. */
  concerned(event: LoggedEvent, followers: ReadonlySet<Socket>): Iterable<Socket>;
  /** Gives these followers what an event that is about to go out gives them, and takes what it takes. */
  settle(event: LoggedEvent, followers: readonly Socket[]): Promise<void>;
  /** An event that may change who follows went out. */
  went(stream: Stream, event: LoggedEvent): void;
  /** An event that was in the log before the stream began: no follower misses it, but it may make new ones. */
  passed(event: LoggedEvent): void;
  /** Everything that it was told went out, and what that changed is settled. */
  rested(stream: Stream): void;
  read(after: number, upTo: number): Promise<LoggedEvent[]>;
  /** What an event changes, or who heard it, cannot be told: its followers and those whom it names begin again. */
  failed(event: LoggedEvent, error: unknown): void;
}

/** A socket that loads its state while the stream goes on; it gets what it missed meanwhile. */
export interface Joiner {
  missed: LoggedEvent[];
  missedLive: LiveFrame[];
}

/** What is collected for one who joins, by stream. */
export type Joined = ReadonlyMap<StreamKey, Joiner>;

/** Events a joining socket may fall behind while its state loads; also the longest gap read from the log at once. */
export const mostMissed = 20_000;

/** Frames of more characters gain nothing by being sent together with others, as the runtime does it. */
const longFrame = 4096;
/** Characters of long frames that go out together; each counts as so many, as the buffers of slow readers grow by them. */
const longAtOnce = 256 * 1024;
const longCountsAs = 4;

/** Characters of events that wait to go out; who follows a stream that is further behind does better to begin again. */
const mostWaiting = 32 * 1024 * 1024;

/** How long a missing number may be on its way from another commit before it is looked up in the log. */
const gapMs = 20;

export class Stream {
  readonly key: StreamKey;
  readonly ready: Promise<void>;
  readonly followers = new Set<Socket>();
  readonly joiners = new Set<Joiner>();
  readonly #doors: StreamDoors;
  readonly #waiting = new Map<number, LoggedEvent>();
  #waitingCharacters = 0;
  #isTooFarBehind = false;
  /** Number of the last event that went out; -1 until known. */
  #head = -1;
  #draining = false;
  #gapTimer: ReturnType<typeof setTimeout> | undefined;

  /** `head` is the number of the last event in the log, asked for when the stream begins. */
  constructor(key: StreamKey, head: Promise<number>, doors: StreamDoors) {
    this.key = key;
    this.#doors = doors;
    this.ready = head.then((head) => {
      this.#head = head;
      for (const [seq, event] of this.#waiting) {
        if (seq > head) continue;
        this.#drop(event);
        this.#attempt(event, () => this.#doors.passed(event));
      }
      this.#drain();
    });
  }

  get isIdle(): boolean {
    return (
      this.followers.size === 0 && this.joiners.size === 0 && this.#waiting.size === 0 && !this.#draining
    );
  }

  /** What it was told and has not sent yet. */
  get waiting(): Iterable<LoggedEvent> {
    return this.#waiting.values();
  }

  /** Takes a committed event; it goes out when everything before it has. */
  offer(event: LoggedEvent): void {
    if (event.seq <= this.#head) {
      this.#attempt(event, () => this.#doors.passed(event));
      return;
    }
    const isNext = event.seq === this.#head + 1 && !this.#draining && event.touches.length === 0;
    if (isNext && !this.#isHeavy(event) && this.#doors.share.takes(this.#weightOf(event))) {
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
    this.#doors.failed(event, new Error("more is written in a server than can be told to all who listen"));
  }

  #drop({ seq, frame }: LoggedEvent): void {
    if (this.#waiting.delete(seq)) this.#waitingCharacters -= frame.length;
    if (this.#waiting.size === 0) this.#isTooFarBehind = false;
  }

  /** Everything up to `seq`, which is committed, has gone out. */
  async reached(seq: number): Promise<void> {
    // A commit is told once it is on the disk, mostly a moment after it can be read: then nobody waits for the whole gap.
    for (let waitMs = 1; this.#head < seq; waitMs = Math.min(2 * waitMs, gapMs)) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      // What is being settled is no news that is missing.
      if (waitMs === gapMs && this.#head < seq && !this.#draining)
        for (const event of await this.#doors.read(this.#head, seq)) this.offer(event);
    }
  }

  close(): void {
    clearTimeout(this.#gapTimer);
  }

  /** An event that fails stops nothing: those who may not have heard what they should are gone when it is past. */
  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    for (let event = this.#next(); event; event = this.#next()) {
      const isHeavy = this.#isHeavy(event);
      const weight = this.#weightOf(event);
      if (!isHeavy && !this.#doors.share.takes(weight)) await this.#doors.share.turn(weight);
      try {
        const settled = new Set<Socket>();
        for (
          let some = this.#unsettled(event, settled);
          some.length > 0;
          some = this.#unsettled(event, settled)
        )
          await this.#doors.settle(event, some);
      } catch (error) {
        this.#doors.failed(event, error);
      }
      if (isHeavy) await this.#letOutInPieces(event);
      else this.#letOut(event);
      this.#drop(event);
    }
    this.#draining = false;
    if (this.#waiting.size > 0) this.#awaitGap();
    else this.#doors.rested(this);
  }

  /** Characters, as they are handed over; the event itself is made once even for nobody. */
  #weightOf({ frame }: LoggedEvent): number {
    return frame.length * (this.followers.size + 1);
  }

  #isHeavy({ frame }: LoggedEvent): boolean {
    return frame.length > longFrame && frame.length * this.followers.size > longAtOnce;
  }

  #next(): LoggedEvent | undefined {
    return this.#waiting.get(this.#head + 1);
  }

  // What an event changes goes ahead of it: whoever is cut off between has not heard the event, so that resuming from
  // what they heard shows that their rights changed. Others may begin to follow meanwhile.
  #unsettled(event: LoggedEvent, settled: Set<Socket>): Socket[] {
    if (event.touches.length === 0 || event.ends !== null) return [];
    const some = [...this.#doors.concerned(event, this.followers)].filter((socket) => !settled.has(socket));
    for (const socket of some) settled.add(socket);
    return some;
  }

  #letOut(event: LoggedEvent): void {
    this.#head = event.seq;
    this.#tellJoiners(event);
    this.#attempt(event, () => {
      this.#doors.publish(event);
      if (event.touches.length > 0) this.#doors.went(this, event);
    });
  }

  /** Whoever begins to follow meanwhile was a joiner, and has it. */
  async #letOutInPieces(event: LoggedEvent): Promise<void> {
    const { frame } = event;
    this.#tellJoiners(event);
    for (const some of pieces([...this.followers], () => frame.length, longAtOnce)) {
      await this.#doors.share.turn(frame.length * some.length * longCountsAs);
      this.#attempt(event, () => this.#doors.send(event, some));
    }
    this.#head = event.seq;
    if (event.touches.length > 0) this.#attempt(event, () => this.#doors.went(this, event));
  }

  #tellJoiners(event: LoggedEvent): void {
    // One too many tells that it was too much.
    for (const joiner of this.joiners) if (joiner.missed.length <= mostMissed) joiner.missed.push(event);
  }

  #attempt(event: LoggedEvent, deed: () => void): void {
    try {
      deed();
    } catch (error) {
      this.#doors.failed(event, error);
    }
  }

  // Commits of several connections may be heard of out of order; the missing one is either about to arrive or in the log.
  #awaitGap(): void {
    this.#gapTimer ??= setTimeout(async () => {
      this.#gapTimer = undefined;
      if (this.#waiting.size === 0) return;
      const upTo = Math.min(...this.#waiting.keys()) - 1;
      const missing = await this.#doors.read(this.#head, upTo).catch(() => []);
      for (const event of missing) if (event.seq > this.#head) this.#keep(event);
      await this.#drain();
    }, gapMs);
  }
}
