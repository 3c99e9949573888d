// Calls to the media service that follow from a commit: soon, side by side, but never the same one twice at a time.
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house/house.ts";

const mostAtOnce = 64;

interface Errand {
  key: string;
  work: () => Promise<void>;
}

class Errands {
  readonly #house: House;
  readonly #keys = new Set<string>();
  readonly #waiting: Errand[] = [];
  #running = 0;
  #isClosed = false;

  constructor(house: House) {
    this.#house = house;
  }

  /** Does nothing when the same call waits or runs already. */
  send(key: string, work: () => Promise<void>): void {
    if (this.#isClosed || this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#waiting.push({ key, work });
    this.#next();
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
  }

  #next(): void {
    while (this.#running < mostAtOnce) {
      const errand = this.#waiting.shift();
      if (!errand) return;
      this.#running++;
      errand
        .work()
        .catch((error) => this.failed(error))
        .finally(() => {
          this.#running--;
          this.#keys.delete(errand.key);
          this.#next();
        });
    }
  }

  /**
   * Logged elsewhere already when the media service is away. The next reconciliation repeats what the call should have
   * done.
   */
  failed(error: unknown): void {
    if (this.#isClosed || (error instanceof Refusal && error.code === "unavailable")) return;
    this.#house.log.error({ err: error }, "the voice rooms could not be kept true to rights");
  }
}

export const errandsOf = perHouse((house) => new Errands(house));
