// Tells the other processes which markers move here: a person's devices may be connected to several.
import { z } from "zod";
import type { House } from "../../server/house/house.ts";
import { pieces } from "../../server/house/pieces.ts";
import { keyOf } from "./counting.ts";
import type { Gathered } from "./storing.ts";

/** How long markers gather before others are told, in milliseconds. */
const tellMs = 20;
/** Of two markers noted within this time (milliseconds) in two processes, neither is known to be the later one. */
export const sameMomentMs = 2 * tellMs;
const toldAtOnce = 1000;

const marker = z.object({
  userId: z.string(),
  serverId: z.string(),
  channelId: z.string(),
  lastReadId: z.string(),
  isTold: z.boolean(),
});

/** `noted` are on their way to the database; `stored`, by `keyOf`, have arrived there. */
export const moved = z.object({ noted: z.array(marker), stored: z.array(z.string()) });

export class Telling {
  readonly #house: House;
  #noted = new Map<string, Gathered>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(house: House) {
    this.#house = house;
  }

  note(marker: Gathered): void {
    if (!this.#house.isShared) return;
    this.#noted.set(keyOf(marker), marker);
    this.#timer ??= setTimeout(() => this.#tellNoted(), tellMs);
  }

  stored(markers: readonly Gathered[]): void {
    if (this.#house.isShared) this.#tell([], markers.map(keyOf));
  }

  #tellNoted(): void {
    this.#timer = undefined;
    const noted = [...this.#noted.values()];
    this.#noted = new Map();
    for (const some of pieces(noted, () => 1, toldAtOnce)) this.#tell(some, []);
  }

  #tell(noted: readonly Gathered[], stored: readonly string[]): void {
    this.#house.bus.tell({ kind: "word", to: "read-states", data: { noted, stored } });
  }
}
