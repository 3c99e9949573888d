// Calls to the media service caused by a commit: run soon and in parallel, but never the same one twice at a time.
import { Refusal } from "../../protocol/errors.ts";
import { logFailure } from "../../server/house/failure.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { Queue } from "../../server/queue.ts";

const atOnce = 64;

class TaskQueue {
  readonly #house: House;
  readonly #queue = new Queue({ atOnce });
  /** Keys of the waiting and running calls. */
  readonly #keys = new Set<string>();
  #isClosed = false;

  constructor(house: House) {
    this.#house = house;
  }

  /** Does nothing if the same call is waiting or running already. */
  add(key: string, work: () => Promise<void>): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    const done = this.#queue.run(() => work().finally(() => this.#keys.delete(key)));
    done.catch((error) => this.failed(error));
  }

  close(): void {
    this.#isClosed = true;
    this.#queue.close();
  }

  /**
   * An unavailable media service was logged elsewhere already. The next reconciliation repeats what the call should
   * have done.
   */
  failed(error: unknown): void {
    if (this.#isClosed || (error instanceof Refusal && error.code === "unavailable")) return;
    logFailure(this.#house, error, "the voice rooms could not be kept true to rights");
  }
}

export const tasks = perHouse("queue", (house) => new TaskQueue(house));
