// A map for thousands of owners that have few entries each: as a list it takes a third of a Map's memory.

/** The most entries of a list. With more, searching it would take longer than a look-up in a Map. */
const mostInList = 8;

export class SmallMap<K, V> {
  /** Keys and values in turn. */
  #list: (K | V)[] = [];
  /** Replaces the list once there are many entries. */
  #map: Map<K, V> | undefined;

  has(key: K): boolean {
    return this.#map ? this.#map.has(key) : this.#find(key) >= 0;
  }

  get(key: K): V | undefined {
    if (this.#map) return this.#map.get(key);
    const at = this.#find(key);
    return at < 0 ? undefined : (this.#list[at + 1] as V);
  }

  set(key: K, value: V): void {
    if (this.#map) {
      this.#map.set(key, value);
      return;
    }
    const at = this.#find(key);
    if (at >= 0) this.#list[at + 1] = value;
    else if (this.#list.length < 2 * mostInList) this.#list.push(key, value);
    else {
      this.#map = new Map(this.keys().map((each) => [each, this.get(each) as V]));
      this.#map.set(key, value);
      this.#list = [];
    }
  }

  delete(key: K): void {
    this.#map?.delete(key);
    const at = this.#find(key);
    if (at >= 0) this.#list.splice(at, 2);
  }

  /** Returns the keys as they are now: entries may be deleted while one goes through them. */
  keys(): K[] {
    return this.#map ? [...this.#map.keys()] : (this.#list.filter((_, i) => i % 2 === 0) as K[]);
  }

  #find(key: K): number {
    for (let at = 0; at < this.#list.length; at += 2) if (this.#list[at] === key) return at;
    return -1;
  }
}
