// Rooms of unknown occupancy: the media service is asked once per room, however many callers want it, and about few
// rooms at a time. A response may have megabytes, and a silent service holds each query for seconds. The others wait:
// right after a start a bot looks at all of its rooms.
import { Refusal } from "../../protocol/errors.ts";
import { deadline } from "../../server/deadline.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { Queue } from "../../server/queue.ts";

const mostAsked = 16;
const mostWaiting = 64;

/**
 * Queued queries are dropped after this share of the timeout: otherwise a silent service would get one round after the
 * other.
 */
const longestWait = 0.8;

class Guesses {
  readonly #queue = new Queue({ atOnce: mostAsked, mostWaiting, full: unavailable });
  readonly #asking = new Map<string, Promise<void>>();

  /**
   * Throws unavailable (503) if the media service does not respond within `patienceMs`, including the time in the
   * queue, or if too many rooms are queued.
   */
  ask(room: string, patienceMs: number, ask: () => Promise<void>): Promise<void> {
    const known = this.#asking.get(room);
    if (known) return known;
    const came = performance.now();
    const inTurn = this.#queue.run(() => {
      if (performance.now() - came > longestWait * patienceMs) throw unavailable();
      return ask();
    });
    const asked = deadline(patienceMs, unavailable)(inTurn).finally(() => this.#asking.delete(room));
    this.#asking.set(room, asked);
    return asked;
  }
}

export function unavailable(): Refusal {
  const sentence = "The media service does not answer at the moment. Try again shortly.";
  return new Refusal("unavailable", sentence, { retryAfter: 5 });
}

export const guesses = perHouse("cache", () => new Guesses());
