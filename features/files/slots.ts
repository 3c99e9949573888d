// Limits the concurrent uploads of this process, per person and in all, to bound its memory and its disk.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { Queue, Queues } from "../../server/queue.ts";

const mostInAll = 64;

/** Slots for uploads. Nobody waits for one: the bytes sent meanwhile would have to be held. */
export class Slots {
  readonly #inAll = new Queue({ atOnce: mostInAll, mostWaiting: 0, full: tooMany });
  readonly #byPerson = new Queues({ atOnce: limits.uploads_at_once_max, mostWaiting: 0, full: tooManyOfOne });

  /** The number of uploads under way. */
  get taken(): number {
    return this.#inAll.running;
  }

  /** Runs the work in a slot. Throws rate_limited or unavailable when no slot is free. */
  hold<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.#byPerson.run(userId, () => this.#inAll.run(work));
  }
}

function tooMany(): Refusal {
  const sentence = "Too many files are on their way at the moment. Try again shortly.";
  return new Refusal("unavailable", sentence, { retryAfter: 5 });
}

function tooManyOfOne(): Refusal {
  const sentence = `You are uploading ${limits.uploads_at_once_max} files already. Wait until one is there.`;
  return new Refusal("rate_limited", sentence, { retryAfter: 2 });
}

export const slotsOf = perHouse("queue", () => new Slots());
