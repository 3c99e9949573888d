// Gathers what people read, so that a marker that moves with every message is stored once a second.
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { pieces } from "../../server/house/pieces.ts";
import { Queue } from "../../server/queue.ts";
import { keyOf } from "./counting.ts";
import { type Gathered, storeMarkers } from "./storing.ts";
import { isLater, type Noted, Telling } from "./telling.ts";

/** Markers are stored so long after the first of them came, in milliseconds. */
const gatherMs = 800;
/** So long while the database takes no writes. */
const retryMs = 2000;
/** So long a stored marker is remembered: longer than a READY takes to load. */
const rememberedMs = 15_000;
/** Markers stored in one commit: some milliseconds in which nobody else writes. */
const storedAtOnce = 250;
/** The most markers that wait; more come together only while the database takes no writes. */
const mostWaiting = 100_000;

export const gathering = perHouse("queue", (house) => new Gathering(house));

export class Gathering {
  readonly #house: House;
  readonly #queue = new Queue();
  #waiting = new Map<string, Noted>();
  /** Under way to the database. */
  #storing = new Map<string, Noted>();
  /** Stored a moment ago, or noted elsewhere: a READY may show the moment before, and would have neither the marker nor its event. */
  readonly #stored = new Map<string, Noted>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #telling: Telling;

  constructor(house: House) {
    this.#house = house;
    this.#telling = new Telling(house);
  }

  /** Takes a marker, in place of an earlier one of this person and channel. Throws unavailable when too many wait. */
  note(marker: Gathered): void {
    const key = keyOf(marker);
    if (this.#waiting.size >= mostWaiting && !this.#waiting.has(key)) {
      if (!marker.isTold) return;
      throw new Refusal("unavailable", "Read markers cannot be stored at the moment. Try again later.");
    }
    this.#waiting.set(key, this.#telling.note(marker));
    this.#timer ??= setTimeout(() => void this.store(), gatherMs);
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
      const mine = this.#waiting.get(key);
      if (mine && isLater(mine, marker)) continue;
      this.#waiting.delete(key);
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
    for (const markers of [this.#stored, this.#storing, this.#waiting]) {
      for (const marker of markers.values()) {
        if (marker.userId === userId) found.set(marker.channelId, marker.lastReadId);
      }
    }
    return found;
  }

  /** Returns what the person's marker of the channel names, if it is on its way, from whichever process. */
  at(marker: Pick<Gathered, "userId" | "channelId">): string | undefined {
    const key = keyOf(marker);
    return (this.#waiting.get(key) ?? this.#storing.get(key) ?? this.#stored.get(key))?.lastReadId;
  }

  /** Forgets what a person read of a server that they leave. */
  forget(userId: string, serverId: string): void {
    this.#drop(userId, serverId);
    this.#telling.left(userId, serverId);
  }

  #drop(userId: string, serverId: string): void {
    for (const markers of [this.#stored, this.#storing, this.#waiting]) {
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
    try {
      for (const some of pieces([...this.#storing.values()], () => 1, storedAtOnce)) {
        await this.#house.write((unit) => storeMarkers(unit, some));
        for (const marker of some) this.#remember(marker);
        this.#telling.stored(some);
      }
    } catch (error) {
      this.#takeBack(error);
    }
  }

  #remember(marker: Noted): void {
    const key = keyOf(marker);
    // A marker that is forgotten meanwhile is not under way any more.
    if (this.#storing.delete(key)) this.#keep(key, marker);
  }

  #keep(key: string, marker: Noted): void {
    this.#stored.set(key, marker);
    setTimeout(() => {
      if (this.#stored.get(key) === marker) this.#stored.delete(key);
    }, rememberedMs).unref();
  }

  #takeBack(error: unknown): void {
    const { database, log } = this.#house;
    if (!database.isAway(error)) log.error({ err: error }, "read markers could not be stored");
    // Later markers count.
    this.#waiting = new Map([...this.#storing, ...this.#waiting]);
    this.#storing = new Map();
    this.#timer ??= setTimeout(() => void this.store(), retryMs);
  }

  /** Stores what waits, once; nothing is tried again. */
  async close(): Promise<void> {
    await this.store();
    clearTimeout(this.#timer);
  }
}
