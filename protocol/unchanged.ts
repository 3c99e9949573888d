// Copies with minimal changes: parts that an event does not concern keep their reference, so that they do not render
// again.

/** Returns the list with `after` applied to each element; the same list when that changes none. */
export function eachAfter<T>(list: readonly T[], after: (each: T) => T): readonly T[] {
  const changed = list.map(after);
  return changed.some((each, i) => each !== list[i]) ? changed : list;
}

/** Returns the list without the elements that are `gone`; the same list when none is. */
export function without<T>(list: readonly T[], gone: (each: T) => boolean): readonly T[] {
  const left = list.filter((each) => !gone(each));
  return left.length === list.length ? list : left;
}

/** Returns the map with `after` applied to each value; the same map when that changes none. */
export function valuesAfter<K, V>(map: ReadonlyMap<K, V>, after: (value: V, key: K) => V): ReadonlyMap<K, V> {
  let changed: Map<K, V> | undefined;
  for (const [key, value] of map) {
    const now = after(value, key);
    if (now === value) continue;
    changed ??= new Map(map);
    changed.set(key, now);
  }
  return changed ?? map;
}

/** Returns the map without the keys that are `gone`; the same map when none is. */
export function withoutKeys<K, V>(map: ReadonlyMap<K, V>, gone: (key: K) => boolean): ReadonlyMap<K, V> {
  const keys = [...map.keys()].filter(gone);
  if (keys.length === 0) return map;
  const left = new Map(map);
  for (const key of keys) left.delete(key);
  return left;
}

/** Returns the value with these fields; the same one when it has them already. */
export function withFields<T extends object>(value: T, fields: Partial<T>): T {
  const names = Object.keys(fields) as (keyof T)[];
  return names.some((name) => fields[name] !== value[name]) ? { ...value, ...fields } : value;
}
