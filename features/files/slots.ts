// Limits the number of uploads under way at once, for each person and in all.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { perHouse } from "../../server/house/house.ts";

const mostInAll = 64;

export class Slots {
  #taken = 0;
  readonly #byPerson = new Map<string, number>();

  /** The number of uploads under way. */
  get taken(): number {
    return this.#taken;
  }

  /** Runs the work in a slot. Throws rate_limited or unavailable when no slot is free. */
  async hold<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const mine = this.#byPerson.get(userId) ?? 0;
    if (mine >= limits.uploads_at_once_max) {
      throw new Refusal(
        "rate_limited",
        `You are uploading ${limits.uploads_at_once_max} files already. Wait until one is there.`,
        { retryAfter: 2 },
      );
    }
    if (this.#taken >= mostInAll) {
      throw new Refusal("unavailable", "Too many files are on their way at the moment. Try again shortly.", {
        retryAfter: 5,
      });
    }
    this.#taken++;
    this.#byPerson.set(userId, mine + 1);
    try {
      return await work();
    } finally {
      this.#taken--;
      const left = (this.#byPerson.get(userId) ?? 1) - 1;
      if (left > 0) this.#byPerson.set(userId, left);
      else this.#byPerson.delete(userId);
    }
  }
}

export const slotsOf = perHouse(() => new Slots());
