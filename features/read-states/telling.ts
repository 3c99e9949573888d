// Notifies other processes of markers that move here: a person's devices may be connected to several.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Recent } from "../../server/bus/recent.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { pieces } from "../../server/house/pieces.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { newId } from "../../server/tokens.ts";
import { keyOf } from "./counting.ts";
import type { Gathered } from "./storing.ts";

/** The feature that receives the notices. */
const to = "read-states";
const toldAtOnce = 1000;
/** More than many processes commit in the second before a notice arrives. */
const idsRemembered = 1000;
/** The longest time that a marker waits for the commit of its message, in milliseconds. Tests set a longer one. */
export const tellingPace = perHouse("cache", () => ({ commitMs: 100 }));

/**
 * `turn` is the time in microseconds, or one more than the highest one noted or received if that is higher. So all
 * processes agree on the later of two markers: that of the later call, even if its process had not received the earlier
 * one.
 */
const noted = z.object({
  userId: z.string(),
  serverId: z.string().nullable(),
  channelId: z.string(),
  lastReadId: z.string(),
  isTold: z.boolean(),
  turn: z.int(),
  by: z.string(),
});

export type Noted = z.infer<typeof noted>;

/** A server that a person has left, or the conversation that `channelId` names. */
const left = z.object({
  userId: z.string(),
  serverId: z.string().nullable(),
  channelId: z.string().optional(),
});

export type Left = z.infer<typeof left>;

/**
 * `noted` markers are on their way to the database; those in `stored`, by `keyOf`, are there; those of `left` are void.
 * `by` identifies the process. A message sent with a commit has an `id`, as it arrives twice: at once, and by its
 * notice.
 */
const moved = z.object({
  id: z.string().optional(),
  by: z.string().optional(),
  noted: z.array(noted).default([]),
  stored: z.array(z.string()).default([]),
  left: z.array(left).default([]),
});

type Moved = z.infer<typeof moved>;

export function isLater(one: Noted, other: Noted): boolean {
  return one.turn === other.turn ? one.by > other.by : one.turn > other.turn;
}

export class Telling {
  readonly #house: House;
  readonly #me = randomUUID();
  #turn = 0;
  #noted = new Map<string, Noted>();
  readonly #heard = new Recent(idsRemembered);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(house: House) {
    this.#house = house;
  }

  /**
   * Assigns the marker its turn, and sends it together with the others of this turn of the event loop. An author's
   * marker goes with their message, so that other processes wake once for both.
   */
  note(marker: Gathered): Noted {
    this.#turn = Math.max(this.#turn + 1, microsecondsNow());
    const noted = { ...marker, turn: this.#turn, by: this.#me };
    if (!this.#house.isShared) return noted;
    if (marker.isTold) setImmediate(() => this.tellNoted());
    else this.#timer ??= setTimeout(() => this.tellNoted(), tellingPace(this.#house).commitMs).unref();
    this.#noted.set(keyOf(marker), noted);
    return noted;
  }

  /** Notifies, with their commit, that these markers are stored: what other processes remember may be older. */
  stored(unit: UnitOfWork, markers: readonly Gathered[]): void {
    if (!this.#house.isShared) return;
    unit.tellProcesses(to, { id: newId(), by: this.#me, stored: markers.map(keyOf) });
  }

  left(what: Left): void {
    this.#tell({ left: [what] });
  }

  /** Parses a notice of another process; undefined if it is invalid, or was received already. */
  read(data: unknown): Moved | undefined {
    const heard = moved.safeParse(data).data;
    if (heard?.id !== undefined && !this.#heard.add(heard.id)) return undefined;
    for (const { turn } of heard?.noted ?? []) this.#turn = Math.max(this.#turn, turn);
    return heard;
  }

  /** Sends all markers noted since the last call. */
  tellNoted(): void {
    if (this.#noted.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const noted = [...this.#noted.values()];
    this.#noted = new Map();
    for (const some of pieces(noted, () => 1, toldAtOnce)) this.#tell({ noted: some });
  }

  #tell(data: Partial<Moved>): void {
    if (this.#house.isShared) this.#house.bus.tell({ kind: "word", to, data });
  }
}

/** Microseconds since 1970; monotonic within the process. */
function microsecondsNow(): number {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000);
}
