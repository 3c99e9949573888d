// A clock that only a test moves on: due timers run then, in order.
import type { Later } from "../../client/later.ts";

interface Due {
  atMs: number;
  run: () => void;
}

export class HandClock {
  readonly #due = new Set<Due>();
  #nowMs = 0;

  readonly later: Later = (ms, run) => {
    const due = { atMs: this.#nowMs + ms, run };
    this.#due.add(due);
    return () => this.#due.delete(due);
  };

  turn(ms: number): void {
    const end = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#due].filter(({ atMs }) => atMs <= end).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      this.#due.delete(next);
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = end;
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#due.size;
  }
}
