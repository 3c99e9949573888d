// Queues: a bounded amount of work runs at a time, the rest waits in order, and work above a limit is refused.

interface Bounds {
  /** How many run side by side; one by default. */
  atOnce?: number;
  /** How many may wait; any number by default. */
  mostWaiting?: number;
  /** Makes the error that work above the limit is refused with. */
  full?: () => Error;
}

/** Rejects work that was waiting when its queue closed, or that came later. */
export class QueueClosed extends Error {}

interface Waiting {
  begin(): void;
  refuse(error: Error): void;
}

export class Queue {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #full: () => Error;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isClosed = false;

  constructor({ atOnce = 1, mostWaiting = Number.POSITIVE_INFINITY, full = tooMany }: Bounds = {}) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
    this.#full = full;
  }

  /** How many are running now. */
  get running(): number {
    return this.#running;
  }

  /** True if more work would be refused. */
  get isFull(): boolean {
    return this.#running >= this.#atOnce && this.#waiting.length >= this.#mostWaiting;
  }

  /**
   * Runs the work: at once when there is room, else in its turn. Failing work does not hold up the work behind it.
   * Rejects with the error of `full` when too much is waiting, with QueueClosed once the queue is closed, and with the
   * signal's reason when aborted while waiting.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#isClosed) throw new QueueClosed("the queue is closed");
    if (this.isFull) throw this.#full();
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  /** Running work is finished; no other work begins. */
  close(): void {
    this.#isClosed = true;
    for (const each of this.#waiting.splice(0)) each.refuse(new QueueClosed("the queue is closed"));
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((begin, refuse) => {
      if (signal?.aborted) return refuse(signal.reason);
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        refuse(signal?.reason);
      };
      const waiting = {
        begin: () => {
          signal?.removeEventListener("abort", giveUp);
          begin();
        },
        refuse: (error: Error) => {
          signal?.removeEventListener("abort", giveUp);
          refuse(error);
        },
      };
      this.#waiting.push(waiting);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Passes the slot to the work that has waited longest, so that no new work gets in before it. */
  #handOn(): void {
    const next = this.#waiting.shift();
    if (next) next.begin();
    else this.#running--;
  }
}

function tooMany(): Error {
  return new Error("too many wait already");
}

/** A queue for each key, kept as long as something runs in it: one key never waits for another. */
export class Queues {
  readonly #bounds: Bounds;
  readonly #byKey = new Map<string, Queue>();

  constructor(bounds: Bounds = {}) {
    this.#bounds = bounds;
  }

  /** How many keys have running work. */
  get size(): number {
    return this.#byKey.size;
  }

  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const queue = this.#byKey.get(key) ?? new Queue(this.#bounds);
    this.#byKey.set(key, queue);
    try {
      return await queue.run(work, signal);
    } finally {
      // Two pieces of work may end together, and a new queue of this key may have begun in between.
      if (queue.running === 0 && this.#byKey.get(key) === queue) this.#byKey.delete(key);
    }
  }
}
