// Slots ("places") for requests to hosts that people enter: bounded in all, per person and per host, and withheld from
// people whose requests only waste them.
import { Spent } from "../house/spent.ts";

interface PlaceBounds {
  all: number;
  /** How many of all slots are reserved for people who hold none. */
  kept: number;
  ofPerson: number;
  /** As many as `all` when left out. */
  ofHost?: number;
  /** The share of the timeout that a useful request may take; more counts as wasted. `soon` when left out. */
  free?: number;
  /** How long a request may hold a slot, in milliseconds. */
  patience(): number;
}

export interface Place {
  userId: string;
  host: string;
  /** When the slot was taken, by performance.now(). */
  since: number;
}

/** `all`: none is free; `host`: the host has its share; `person`: the person has theirs, or wasted it. */
type NoPlace = { why: "all" | "host" } | { why: "person"; waitMs: number };

/**
 * How many of a person's requests may time out before the person has to wait. The time that a failure took is drawn,
 * and a quarter of the time that passes is given back.
 */
const wasteGranted = 6;
const givenBack = 1 / 4;
/** A request that takes a larger share of the timeout is late. */
const soon = 0.4;

export class Places {
  readonly #bounds: PlaceBounds;
  readonly #taken = new Set<Place>();
  readonly #wasted = new Spent(givenBack);

  constructor(bounds: PlaceBounds) {
    this.#bounds = bounds;
  }

  get isFull(): boolean {
    return this.#taken.size >= this.#bounds.all;
  }

  get taken(): number {
    return this.#taken.size;
  }

  take(userId: string, host: string): Place | NoPlace {
    const { all, kept, ofPerson, ofHost = all } = this.#bounds;
    const patienceMs = this.#bounds.patience();
    const own = this.#count((place) => place.userId === userId);
    // A slot counts as wasted until it is returned, so nobody wastes more than was granted.
    const left = wasteGranted * patienceMs - this.#wasted.of(userId) - own * patienceMs;
    if (own >= ofPerson) return { why: "person", waitMs: 0 };
    if (left <= 0) return { why: "person", waitMs: own > 0 ? 0 : -left / givenBack };
    if (this.#taken.size >= (own === 0 ? all : all - kept)) return { why: "all" };
    if (this.#count((place) => place.host === host) >= ofHost) return { why: "host" };
    const place = { userId, host, since: performance.now() };
    this.#taken.add(place);
    return place;
  }

  /** True if the request is taking too long. */
  isLate({ since }: Place): boolean {
    return performance.now() - since > soon * this.#bounds.patience();
  }

  /** `isUseful`: the host delivered what was requested, or at least answered promptly. */
  giveBack(place: Place, isUseful: boolean): void {
    if (!this.#taken.delete(place)) return;
    const tookMs = performance.now() - place.since;
    const { free = soon, patience } = this.#bounds;
    const ms = isUseful ? tookMs - free * patience() : tookMs;
    if (ms > 0) this.#wasted.add(place.userId, ms);
  }

  #count(matches: (place: Place) => boolean): number {
    let count = 0;
    for (const place of this.#taken) if (matches(place)) count++;
    return count;
  }
}
