// A bounded cache of values by key.

/** Caches the values of at most `limit` keys. A value whose key was dropped while it loaded is not kept. */
export class Cache<V> {
  /** Rises with every drop: a value that was read before a drop may be out of date after it. */
  drops = 0;
  readonly #limit: number;
  readonly #values = new Map<string, Promise<V> | V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the value if it is loaded, without waiting for one that loads. */
  peek(key: string): V | undefined {
    const value = this.#values.get(key);
    return value instanceof Promise ? undefined : value;
  }

  /** Returns the value of a key, loaded once for all callers when it is not cached. A failed load is not cached. */
  get(key: string, load: () => Promise<V>): Promise<V> | V {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const loading = load();
    this.#makeRoomFor(key);
    this.#values.set(key, loading);
    loading.then(
      (value) => this.#values.get(key) === loading && this.#values.set(key, value),
      () => this.#values.get(key) === loading && this.#values.delete(key),
    );
    return loading;
  }

  put(key: string, value: V): void {
    this.#makeRoomFor(key);
    this.#values.set(key, value);
  }

  drop(key: string): void {
    this.drops++;
    this.#values.delete(key);
  }

  clear(): void {
    this.drops++;
    this.#values.clear();
  }

  // The oldest keys go first; a value that is still in use is loaded again. A fiftieth is evicted at once, as each
  // search for the oldest key skips the gaps of earlier deletions, tens of thousands in a large cache.
  #makeRoomFor(key: string): void {
    if (this.#values.size < this.#limit || this.#values.has(key)) return;
    let left = Math.ceil(this.#limit / 50);
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      if (--left === 0) break;
    }
  }
}
