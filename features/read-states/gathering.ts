// Collects read markers, so that a marker that moves with every message is stored once a second.
import { Refusal } from "../../protocol/errors.ts";
import { logFailure } from "../../server/house/failure.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { pieces } from "../../server/house/pieces.ts";
import { heldAmong } from "../../server/house/streams.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { idOf, personStream } from "../../server/place.ts";
import { Queue } from "../../server/queue.ts";
import { keyOf } from "./counting.ts";
import { type Gathered, storeMarkers } from "./storing.ts";
import { isLater, type Left, type Noted, Telling } from "./telling.ts";

/**
 * Delay before collected markers are stored, counted from the first one, in milliseconds; `soonMs` if other processes
 * learn of markers only from the database, which has to happen within a second. Tests set longer ones.
 */
export const gatheringPace = perHouse("cache", () => ({ gatherMs: 800, soonMs: 300 }));
/** Delay before a retry while the database takes no writes, or a row is locked, in milliseconds. */
const retryMs = 2000;
/** How long a stored marker is remembered, in milliseconds: longer than READY takes to load. */
const rememberedMs = 15_000;
/** Markers stored per commit: some milliseconds in which nobody else writes. */
const storedAtOnce = 250;
/** The most pending markers; there are more only while the database takes no writes. */
const mostWaiting = 100_000;

const notStored = "read markers could not be stored";

export const gathering = perHouse("queue", (house) => new Gathering(house));

class Gathering {
  readonly #house: House;
  readonly #queue = new Queue();
  readonly #queueOfHeld = new Queue();
  #waiting = new Map<string, Noted>();
  /** Being written to the database. */
  #storing = new Map<string, Noted>();
  /** Markers of people whose row another transaction has locked: stored person by person, so that no others wait. */
  readonly #held = new Map<string, Noted>();
  /** Recently stored, or of another process: a READY may show the state before, without the marker or its event. */
  readonly #stored = new Map<string, Noted>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heldTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #telling: Telling;
  #isClosed = false;

  constructor(house: House) {
    this.#house = house;
    this.#telling = new Telling(house);
  }

  /** Adds a marker, replacing an earlier one of the same person and channel. Throws unavailable if too many wait. */
  note(marker: Gathered): void {
    const key = keyOf(marker);
    if (this.#waiting.size + this.#held.size >= mostWaiting && !this.#waiting.has(key)) {
      if (!marker.isTold) return;
      throw new Refusal("unavailable", "Read markers cannot be stored at the moment. Try again later.");
    }
    this.#waiting.set(key, this.#telling.note(marker));
    const { gatherMs, soonMs } = gatheringPace(this.#house);
    this.#timer ??= setTimeout(() => void this.store(), this.#house.bus.isCarried ? gatherMs : soonMs);
  }

  /** Sends the noted markers to other processes, together with what is being committed. */
  tell(): void {
    this.#telling.tellNoted();
  }

  /** Receives markers of another process. Those later than pending ones here replace them. */
  hear(data: unknown): void {
    const heard = this.#telling.read(data);
    for (const marker of heard?.noted ?? []) {
      const key = keyOf(marker);
      const mine = this.#waiting.get(key) ?? this.#held.get(key);
      if (mine && isLater(mine, marker)) continue;
      this.#waiting.delete(key);
      this.#held.delete(key);
      this.#keep(key, marker);
    }
    // The later writer's value is in the database. What that process noted itself is still remembered.
    for (const key of heard?.stored ?? [])
      if (this.#stored.get(key)?.by !== heard?.by) this.#stored.delete(key);
    for (const left of heard?.left ?? []) this.#drop(left);
  }

  /** Returns a person's pending and recently stored markers: message ids by channel id. */
  of(userId: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const markers of [this.#stored, this.#storing, this.#held, this.#waiting]) {
      for (const marker of markers.values()) {
        if (marker.userId === userId) found.set(marker.channelId, marker.lastReadId);
      }
    }
    return found;
  }

  /** Returns the message id of the person's marker in the channel, if it is pending, in any process. */
  at(marker: Pick<Gathered, "userId" | "channelId">): string | undefined {
    const key = keyOf(marker);
    const underWay = this.#waiting.get(key) ?? this.#held.get(key) ?? this.#storing.get(key);
    return (underWay ?? this.#stored.get(key))?.lastReadId;
  }

  /** Drops a person's markers of a server or conversation that they leave. */
  forget(left: Left): void {
    this.#drop(left);
    this.#telling.left(left);
  }

  #drop({ userId, serverId, channelId }: Left): void {
    for (const markers of [this.#stored, this.#storing, this.#held, this.#waiting]) {
      for (const [key, marker] of markers) {
        const isThere = marker.serverId === serverId && (!channelId || marker.channelId === channelId);
        if (marker.userId === userId && isThere) markers.delete(key);
      }
    }
  }

  /** Stores the pending markers. Those that cannot be stored stay pending. */
  store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#queue.run(() => this.#storeAll());
  }

  async #storeAll(): Promise<void> {
    this.#storing = this.#waiting;
    this.#waiting = new Map();
    const held = new Set([...this.#held.values()].map(({ userId }) => userId));
    this.#setAside([...this.#storing.values()].filter(({ userId }) => held.has(userId)));
    try {
      for (const some of pieces([...this.#storing.values()], () => 1, storedAtOnce))
        await this.#storeTogether(some);
    } catch (error) {
      this.#takeBack(error);
    }
  }

  /**
   * Stores these in one commit. If another transaction has locked one of their rows, the people whose stream is locked
   * are set aside; if no stream is, it is another row, and all are.
   */
  async #storeTogether(some: readonly Noted[]): Promise<void> {
    if (await this.#areStored(some)) return;
    const held = await this.#heldAmong(some);
    const apart = held.size > 0 ? some.filter(({ userId }) => held.has(userId)) : some;
    this.#setAside(apart);
    await this.#storeTogether(some.filter((marker) => !apart.includes(marker)));
  }

  /** Returns false if another transaction has locked one of the rows. */
  async #areStored(some: readonly Noted[]): Promise<boolean> {
    if (some.length === 0) return true;
    const store = async (unit: UnitOfWork) => {
      await storeMarkers(unit, some);
      this.#telling.stored(unit, some);
    };
    try {
      await this.#house.write(store, undefined, "once");
    } catch (error) {
      if (!this.#house.database.isHeld(error)) throw error;
      return false;
    }
    for (const marker of some) this.#remember(marker);
    return true;
  }

  /** Returns those of these people whose streams another transaction has locked. */
  async #heldAmong(some: readonly Noted[]): Promise<Set<string>> {
    const streams = [...new Set(some.map(({ userId }) => personStream(userId)))];
    const held = await this.#house.database.transaction((db) => heldAmong(db, streams), "once");
    return new Set(held.map(idOf));
  }

  #setAside(some: readonly Noted[]): void {
    for (const marker of some) {
      const key = keyOf(marker);
      // A marker that was dropped meanwhile is not stored.
      if (this.#storing.delete(key) && !this.#isOvertaken(marker)) this.#held.set(key, marker);
    }
    if (this.#held.size > 0 && !this.#isClosed)
      this.#heldTimer ??= setTimeout(() => void this.#storeHeld(), 0);
  }

  /** Stores the markers that were set aside, person by person, except where the stream is still locked; those stay. */
  #storeHeld(): Promise<void> {
    return this.#queueOfHeld.run(async () => {
      try {
        const held = await this.#heldAmong([...this.#held.values()]);
        for (const [userId, those] of Map.groupBy(this.#held.values(), ({ userId }) => userId))
          if (!held.has(userId)) await this.#areStored(those.filter((marker) => this.#isAside(marker)));
      } catch (error) {
        logFailure(this.#house, error, notStored);
      }
      const goesOn = this.#held.size > 0 && !this.#isClosed;
      this.#heldTimer = goesOn ? setTimeout(() => void this.#storeHeld(), retryMs) : undefined;
    });
  }

  /** True if the marker is still set aside: while others are stored, a later one may have been received or noted. */
  #isAside(marker: Noted): boolean {
    return this.#held.get(keyOf(marker)) === marker;
  }

  /** True if a later marker was received. */
  #isOvertaken(marker: Noted): boolean {
    const known = this.#stored.get(keyOf(marker));
    return known !== undefined && isLater(known, marker);
  }

  #remember(marker: Noted): void {
    const key = keyOf(marker);
    if (this.#isAside(marker)) this.#held.delete(key);
    else if (this.#storing.get(key) === marker) this.#storing.delete(key);
    // A marker dropped meanwhile is no longer pending.
    else return;
    this.#keep(key, marker);
  }

  #keep(key: string, marker: Noted): void {
    this.#stored.set(key, marker);
    setTimeout(() => {
      if (this.#stored.get(key) === marker) this.#stored.delete(key);
    }, rememberedMs).unref();
  }

  #takeBack(error: unknown): void {
    logFailure(this.#house, error, notStored);
    // Later markers win.
    const back = [...this.#storing].filter(([, marker]) => !this.#isOvertaken(marker));
    this.#waiting = new Map([...back, ...this.#waiting]);
    this.#storing = new Map();
    this.#timer ??= setTimeout(() => void this.store(), retryMs);
  }

  /** Stores the pending markers once, without retries. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.store();
    if (this.#held.size > 0) await this.#storeHeld();
    clearTimeout(this.#timer);
    clearTimeout(this.#heldTimer);
  }
}
