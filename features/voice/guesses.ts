// Rooms of which nothing is known yet: the media service is asked about each once, whoever looks at it, and about few at
// once. An answer may have megabytes, and a service that is silent holds each question for seconds. The others wait: right
// after a start a bot looks at all of its rooms.
import { Refusal } from "../../protocol/errors.ts";
import { deadline } from "../../server/deadline.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { Queue } from "../../server/queue.ts";

const mostAsked = 16;
const mostWaiting = 64;

/**
 * After this share of the patience no question is asked any more that was in the queue: a silent service would get one
 * round after the other.
 */
const longestWait = 0.8;

class Guesses {
  readonly #queue = new Queue({ atOnce: mostAsked, mostWaiting, full: unavailable });
  readonly #asking = new Map<string, Promise<void>>();

  /**
   * Throws unavailable (503) when the media service does not answer in `patienceMs`, the time in the queue included, or is
   * asked about too many rooms.
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
