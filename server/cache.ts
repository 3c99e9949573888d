// Bounded caches of database facts: values by key, and all cached facts about one home.

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

/** The name of the cache of homes, for `unit.drop`. */
export const cachedHomes = "homes";

/** The cached facts about one home, and the version of its rights that checks are compared with. */
export class RememberedHome {
  /** The number itself once it is loaded, so that most units need not wait. */
  version: Promise<number | undefined> | number | undefined;
  readonly parts = new Cache<unknown>(20_000);

  constructor(version: Promise<number | undefined>, failed: () => void) {
    this.version = version;
    version.then((known) => {
      this.version = known;
    }, failed);
  }

  /**
   * Takes over the version that an event raised. Returns false when it is not the next one: then an event was missed.
   */
  follow(version: number | undefined): boolean {
    if (version === undefined || version === this.version) return true;
    if (version - 1 !== this.version) return false;
    this.version = version;
    return true;
  }
}
