// Bounded caches of what the database says: the values of one key, and everything remembered of one server.
import type { StreamKey } from "../place.ts";

/** Keeps at most `limit` keys. A load that was under way when its key was dropped is not kept. */
export class Remembered<V> {
  /** Rises with every drop: what was read before one may be out of date after it. */
  drops = 0;
  readonly #limit: number;
  readonly #values = new Map<string, Promise<V> | V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value if it is here, without waiting. */
  peek(key: string): V | undefined {
    const value = this.#values.get(key);
    return value instanceof Promise ? undefined : value;
  }

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

  // The oldest go first; what is in use is loaded again. Several at once: each look for the oldest goes past the gaps that
  // those before it left, tens of thousands in a large cache.
  #makeRoomFor(key: string): void {
    if (this.#values.size < this.#limit || this.#values.has(key)) return;
    let left = Math.ceil(this.#limit / 50);
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      if (--left === 0) break;
    }
  }
}

/** What is remembered of one server, at the version that its checks are compared by. */
export class ServerSnapshot {
  readonly stream: StreamKey;
  /** The number itself once it is known: most who ask need not wait. */
  version: Promise<number | undefined> | number | undefined;
  readonly parts = new Remembered<unknown>(20_000);

  constructor(stream: StreamKey, version: Promise<number | undefined>, failed: () => void) {
    this.stream = stream;
    this.version = version;
    version.then((known) => {
      this.version = known;
    }, failed);
  }

  /** Goes on to the version that an event raised. False where that is not the next one: then more has changed. */
  follow(version: number | undefined): boolean {
    if (version === undefined || version === this.version) return true;
    if (version - 1 !== this.version) return false;
    this.version = version;
    return true;
  }
}
