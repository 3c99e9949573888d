// Gathers what people read, so that a marker that moves with every message is stored once a second.
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
import { isLater, type Noted, Telling } from "./telling.ts";

/**
 * Markers are stored so long after the first of them came, in milliseconds; `soonMs` where other processes learn of a
 * marker only from the database: they shall know it within a second. Tests hold them back.
 */
export const gatheringPace = perHouse("cache", () => ({ gatherMs: 800, soonMs: 300 }));
/** The pause before markers are tried again while the database takes no writes, or a row of theirs is held. */
const retryMs = 2000;
/** So long a stored marker is remembered: longer than a READY takes to load. */
const rememberedMs = 15_000;
/** Markers stored in one commit: some milliseconds in which nobody else writes. */
const storedAtOnce = 250;
/** The most markers that wait; more come together only while the database takes no writes. */
const mostWaiting = 100_000;

const notStored = "read markers could not be stored";

export const gathering = perHouse("queue", (house) => new Gathering(house));

class Gathering {
  readonly #house: House;
  readonly #queue = new Queue();
  readonly #queueOfHeld = new Queue();
  #waiting = new Map<string, Noted>();
  /** Under way to the database. */
  #storing = new Map<string, Noted>();
  /** Markers of people whose row another transaction holds: stored person by person, so that no others wait for them. */
  readonly #held = new Map<string, Noted>();
  /** Stored a moment ago, or noted elsewhere: a READY may show the moment before, and would have neither the marker nor its event. */
  readonly #stored = new Map<string, Noted>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heldTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #telling: Telling;
  #isClosed = false;

  constructor(house: House) {
    this.#house = house;
    this.#telling = new Telling(house);
  }

  /** Takes a marker, in place of an earlier one of this person and channel. Throws unavailable when too many wait. */
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

  /** Tells other processes what was noted here, together with what is committed. */
  tell(): void {
    this.#telling.tellNoted();
  }

  /** Hears of markers in another process. Its later ones go before those that wait here. */
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
    // What both stored is as the last of them left it. What that process noted itself is remembered on.
    for (const key of heard?.stored ?? [])
      if (this.#stored.get(key)?.by !== heard?.by) this.#stored.delete(key);
    for (const { userId, serverId } of heard?.left ?? []) this.#drop(userId, serverId);
  }

  /** Returns by channel what a person's markers name that are on their way, or were stored a moment ago. */
  of(userId: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const markers of [this.#stored, this.#storing, this.#held, this.#waiting]) {
      for (const marker of markers.values()) {
        if (marker.userId === userId) found.set(marker.channelId, marker.lastReadId);
      }
    }
    return found;
  }

  /** Returns what the person's marker of the channel names, if it is on its way, from whichever process. */
  at(marker: Pick<Gathered, "userId" | "channelId">): string | undefined {
    const key = keyOf(marker);
    const underWay = this.#waiting.get(key) ?? this.#held.get(key) ?? this.#storing.get(key);
    return (underWay ?? this.#stored.get(key))?.lastReadId;
  }

  /** Forgets what a person read of a server that they leave. */
  forget(userId: string, serverId: string): void {
    this.#drop(userId, serverId);
    this.#telling.left(userId, serverId);
  }

  #drop(userId: string, serverId: string): void {
    for (const markers of [this.#stored, this.#storing, this.#held, this.#waiting]) {
      for (const [key, marker] of markers) {
        if (marker.userId === userId && marker.serverId === serverId) markers.delete(key);
      }
    }
  }

  /** Stores what waits. What cannot be stored waits on. */
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
   * Stores these in one commit. Where another transaction holds a row of theirs, those whose stream is held are set aside;
   * where none is it is another row, so all are.
   */
  async #storeTogether(some: readonly Noted[]): Promise<void> {
    if (await this.#areStored(some)) return;
    const held = await this.#heldAmong(some);
    const apart = held.size > 0 ? some.filter(({ userId }) => held.has(userId)) : some;
    this.#setAside(apart);
    await this.#storeTogether(some.filter((marker) => !apart.includes(marker)));
  }

  /** Returns false where another transaction holds a row of theirs. */
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

  /** Returns the people among these whose streams another transaction holds. */
  async #heldAmong(some: readonly Noted[]): Promise<Set<string>> {
    const streams = [...new Set(some.map(({ userId }) => personStream(userId)))];
    const held = await this.#house.database.transaction((db) => heldAmong(db, streams), "once");
    return new Set(held.map(idOf));
  }

  #setAside(some: readonly Noted[]): void {
    for (const marker of some) {
      const key = keyOf(marker);
      // One that was forgotten meanwhile is not stored.
      if (this.#storing.delete(key) && !this.#isOvertaken(marker)) this.#held.set(key, marker);
    }
    if (this.#held.size > 0 && !this.#isClosed)
      this.#heldTimer ??= setTimeout(() => void this.#storeHeld(), 0);
  }

  /** Stores what was set aside, person by person, but those whose streams are still held. These wait on. */
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

  /** Storing others before it takes time: a later one may have been heard of, or have been noted here. */
  #isAside(marker: Noted): boolean {
    return this.#held.get(keyOf(marker)) === marker;
  }

  /** Whether a later marker was heard of. */
  #isOvertaken(marker: Noted): boolean {
    const known = this.#stored.get(keyOf(marker));
    return known !== undefined && isLater(known, marker);
  }

  #remember(marker: Noted): void {
    const key = keyOf(marker);
    if (this.#isAside(marker)) this.#held.delete(key);
    else if (this.#storing.get(key) === marker) this.#storing.delete(key);
    // A marker that is forgotten meanwhile is not under way any more.
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
    // Later markers count.
    const back = [...this.#storing].filter(([, marker]) => !this.#isOvertaken(marker));
    this.#waiting = new Map([...back, ...this.#waiting]);
    this.#storing = new Map();
    this.#timer ??= setTimeout(() => void this.store(), retryMs);
  }

  /** Stores what waits, once; nothing is tried again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.store();
    if (this.#held.size > 0) await this.#storeHeld();
    clearTimeout(this.#timer);
    clearTimeout(this.#heldTimer);
  }
}
