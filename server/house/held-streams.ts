// Streams whose rows another transaction holds, as far as this process has met them.
import type { Db } from "../database/database.ts";
import type { Home } from "../place.ts";
import type { House } from "./house.ts";
import { perHouse } from "./per-house.ts";
import { lockStream, lockStreamNow } from "./streams.ts";

/** How long a row that was found held counts as held, in milliseconds, unless this process locks it meanwhile. */
const rememberedMs = 10_000;
/** The most streams that are remembered; the oldest go first. */
const mostRemembered = 10_000;

export const heldStreams = perHouse("cache", () => new HeldStreams());

export class HeldStreams {
  /** By stream: when it was last found held, by the monotonic clock. */
  readonly #foundAt = new Map<Home, number>();

  get isEmpty(): boolean {
    return this.#foundAt.size === 0;
  }

  has(stream: Home): boolean {
    const foundAt = this.#foundAt.get(stream);
    if (foundAt === undefined) return false;
    if (performance.now() - foundAt < rememberedMs) return true;
    this.#foundAt.delete(stream);
    return false;
  }

  note(stream: Home): void {
    this.#foundAt.delete(stream);
    this.#foundAt.set(stream, performance.now());
    if (this.#foundAt.size <= mostRemembered) return;
    for (const oldest of this.#foundAt.keys()) return void this.#foundAt.delete(oldest);
  }

  /** Records that this process had the row locked at `at`; a row that was found held since then stays recorded. */
  letGo(stream: Home, at: number): void {
    if ((this.#foundAt.get(stream) ?? at) <= at) this.#foundAt.delete(stream);
  }
}

/**
 * Locks the row of a stream until the transaction ends. A row that is known to be held is not waited for: waiting
 * transactions would use up all connections, and leave none for other streams.
 */
export async function lockUnlessHeld(house: House, db: Db, stream: Home): Promise<void> {
  const held = heldStreams(house);
  const asked = performance.now();
  try {
    if (held.has(stream)) await lockStreamNow(house.database, db, stream);
    else await lockStream(db, stream);
    held.letGo(stream, asked);
  } catch (error) {
    if (house.database.isHeld(error)) held.note(stream);
    throw error;
  }
}
