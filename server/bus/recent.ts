// A bounded set of what came lately.

/** Remembers between `limit` and twice as many of the latest names. */
export class Recent {
  readonly #limit: number;
  #newer = new Set<string>();
  #older = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns whether the name is new. */
  add(name: string): boolean {
    if (this.#newer.has(name) || this.#older.has(name)) return false;
    this.#newer.add(name);
    if (this.#newer.size >= this.#limit) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    return true;
  }
}
