// A clock that a test turns by hand: what is due runs then, in its order, and nothing by itself.
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

  /** How much is due at all. */
  get pending(): number {
    return this.#due.size;
  }
}
