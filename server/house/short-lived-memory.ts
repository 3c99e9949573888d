// Short-lived values of a single process, in its memory.
import type { Kind, ShortLived } from "./short-lived.ts";

/** More than one, so that expired values decrease with each new one; not all, as a flood of them expires together. */
const mostEndedAtOnce = 20;

interface Entry<V> {
  value: V;
  /** In milliseconds since 1970. */
  until: number;
}

export class MemoryShortLived<V> implements ShortLived<V> {
  readonly #kind: Kind;
  /** In order of expiry, the first to expire at the front. */
  readonly #entries = new Map<string, Entry<V>>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  /** How many values are held, including expired ones that have not been removed yet. */
  get size(): number {
    return this.#entries.size;
  }

  async put(key: string, value: V): Promise<void> {
    this.#keep(key, value);
  }

  async peek(key: string): Promise<V | undefined> {
    return this.#live(key);
  }

  async take(key: string): Promise<V | undefined> {
    const value = this.#live(key);
    this.#entries.delete(key);
    return value;
  }

  async change(key: string, next: (known: V | undefined, now: number) => V | undefined): Promise<void> {
    // The monotonic clock: a changed system clock must not make people wait for hours.
    const value = next(this.#live(key), performance.now());
    if (value !== undefined) this.#keep(key, value);
  }

  async values(beginning: string): Promise<V[]> {
    const now = Date.now();
    const found: V[] = [];
    for (const [key, { value, until }] of this.#entries) {
      if (until > now && key.startsWith(beginning)) found.push(value);
    }
    return found;
  }

  async clear(): Promise<void> {
    this.#entries.clear();
  }

  #live(key: string): V | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() ? entry.value : undefined;
  }

  #keep(key: string, value: V): void {
    const now = Date.now();
    this.#entries.delete(key);
    let looks = 0;
    for (const [first, { until }] of this.#entries) {
      if (++looks > mostEndedAtOnce || (until > now && this.#entries.size < this.#kind.most)) break;
      this.#entries.delete(first);
    }
    this.#entries.set(key, { value, until: now + this.#kind.keptMs });
  }
}
