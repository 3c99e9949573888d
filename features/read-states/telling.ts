// Tells the other processes which markers move here: a person's devices may be connected to several.
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

/** The feature that hears it. */
const to = "read-states";
const toldAtOnce = 1000;
/** More than many processes commit in the second until the notice comes. */
const idsRemembered = 1000;
/** So long a marker waits for the commit of its message at most, in milliseconds. Tests wait for it longer. */
export const tellingPace = perHouse("cache", () => ({ commitMs: 100 }));

/**
 * `turn` is the time in microseconds, or one more than the last that was noted or heard where that is higher. So all
 * processes take the same one of two markers for the later: that of the later call, also if it came to a process that had
 * not heard of the earlier one yet.
 */
const noted = z.object({
  userId: z.string(),
  serverId: z.string(),
  channelId: z.string(),
  lastReadId: z.string(),
  isTold: z.boolean(),
  turn: z.int(),
  by: z.string(),
});

export type Noted = z.infer<typeof noted>;

/** `noted` are on their way to the database; `stored`, by `keyOf`, have arrived there; `left` are none any more. `by`
 * names the process. What goes with a commit is heard twice, soon and by its notice, and has an `id`. */
const moved = z.object({
  id: z.string().optional(),
  by: z.string().optional(),
  noted: z.array(noted).default([]),
  stored: z.array(z.string()).default([]),
  left: z.array(z.object({ userId: z.string(), serverId: z.string() })).default([]),
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
   * Gives the marker its turn, and tells it with what else is noted in this turn of the event loop. That of an author
   * goes with their message, so that others wake once for both.
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

  /** Tells with the commit of these markers that they are stored: what other processes remember of them may be older. */
  stored(unit: UnitOfWork, markers: readonly Gathered[]): void {
    if (!this.#house.isShared) return;
    unit.tellProcesses(to, { id: newId(), by: this.#me, stored: markers.map(keyOf) });
  }

  left(userId: string, serverId: string): void {
    this.#tell({ left: [{ userId, serverId }] });
  }

  /** Reads what another process told; undefined for what makes no sense, or was heard already. */
  read(data: unknown): Moved | undefined {
    const heard = moved.safeParse(data).data;
    if (heard?.id !== undefined && !this.#heard.add(heard.id)) return undefined;
    for (const { turn } of heard?.noted ?? []) this.#turn = Math.max(this.#turn, turn);
    return heard;
  }

  /** Tells all that was noted since. */
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

/** Since 1970; while the process runs it never goes back. */
function microsecondsNow(): number {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000);
}
