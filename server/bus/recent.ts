// A bounded set of recent names.

/** Remembers the latest names, between `limit` and twice as many. */
export class Recent {
  readonly #limit: number;
  #newer = new Set<string>();
  #older = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds a name. Returns whether it is new. */
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
