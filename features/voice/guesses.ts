// Rooms of which nothing is known yet: the media service is asked about each once, whoever looks at it, and about few at
// once. An answer may have megabytes, and a service that is silent holds each question for seconds. The others wait: right
// after a start a bot looks at all of its rooms.
import { Refusal } from "../../protocol/errors.ts";
import { deadline } from "../../server/deadline.ts";
import { perHouse } from "../../server/house/house.ts";
import { Queue } from "../../server/queue.ts";

const mostAsked = 16;
const mostWaiting = 64;

/** How long an answer of the media service is waited for, in milliseconds; here the time in the queue included. */
export const usualPatienceMs = 5000;
/** After so long in the queue no question is asked any more: a silent service would get one round after the other. */
const longestWaitMs = 4000;

class Guesses {
  readonly #queue = new Queue({ atOnce: mostAsked, mostWaiting, full: unavailable });
  readonly #asking = new Map<string, Promise<void>>();
  readonly #inTime = deadline(usualPatienceMs, unavailable);

  /** Throws unavailable (503) when the media service does not answer, or is asked about too many rooms. */
  ask(room: string, ask: () => Promise<void>): Promise<void> {
    const known = this.#asking.get(room);
    if (known) return known;
    const came = performance.now();
    const inTurn = this.#queue.run(() => {
      if (performance.now() - came > longestWaitMs) throw unavailable();
      return ask();
    });
    const asked = this.#inTime(inTurn).finally(() => this.#asking.delete(room));
    this.#asking.set(room, asked);
    return asked;
  }
}

export function unavailable(): Refusal {
  const sentence = "The media service does not answer at the moment. Try again shortly.";
  return new Refusal("unavailable", sentence, { retryAfter: 5 });
}

export const guesses = perHouse("cache", () => new Guesses());
