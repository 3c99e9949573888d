// Coalesces work of which only the newest counts: calls during a run cause one more run, however many they are.
import { setImmediate as nextTurn } from "node:timers/promises";

type Work = () => Promise<void>;

interface Run {
  work: Work;
  hasBegun: boolean;
  done: Promise<void>;
}

export class OnceMore {
  /** By key: the run that was requested last. */
  readonly #last = new Map<string, Run>();

  /** True if nothing runs or waits to run. */
  get isAtRest(): boolean {
    return this.#last.size === 0;
  }

  /**
   * Runs the work in the next turn of the event loop, or after the current run of this key. Until it begins, later work
   * replaces it, and all callers wait for that. Rejects when the work fails.
   */
  run(key: string, work: Work): Promise<void> {
    const last = this.#last.get(key);
    if (last && !last.hasBegun) {
      last.work = work;
      return last.done;
    }
    const run: Run = { work, hasBegun: false, done: Promise.resolve() };
    this.#last.set(key, run);
    run.done = this.#after(last, run, key);
    return run.done;
  }

  async #after(last: Run | undefined, run: Run, key: string): Promise<void> {
    await last?.done.catch(() => {});
    // Work requested in the same turn replaces this one, so that it runs once for all callers.
    await nextTurn();
    run.hasBegun = true;
    try {
      await run.work();
    } finally {
      if (this.#last.get(key) === run) this.#last.delete(key);
    }
  }
}
