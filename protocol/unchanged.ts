// Copies that change as little as they can: what an event does not concern stays the same reference, so none draws it anew.

/** Each element as `after` has it; the same list when that changes none of them. */
export function eachAfter<T>(list: readonly T[], after: (each: T) => T): readonly T[] {
  const changed = list.map(after);
  return changed.some((each, i) => each !== list[i]) ? changed : list;
}

/** The list without those that are `gone`; the same one when none is. */
export function without<T>(list: readonly T[], gone: (each: T) => boolean): readonly T[] {
  const left = list.filter((each) => !gone(each));
  return left.length === list.length ? list : left;
}

/** Each value as `after` has it; the same map when that changes none of them. */
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

/** The map without the keys that are `gone`; the same one when none is. */
export function withoutKeys<K, V>(map: ReadonlyMap<K, V>, gone: (key: K) => boolean): ReadonlyMap<K, V> {
  const keys = [...map.keys()].filter(gone);
  if (keys.length === 0) return map;
  const left = new Map(map);
  for (const key of keys) left.delete(key);
  return left;
}

/** The value with these fields; the same one when it has them already. */
export function withFields<T extends object>(value: T, fields: Partial<T>): T {
  const names = Object.keys(fields) as (keyof T)[];
  return names.some((name) => fields[name] !== value[name]) ? { ...value, ...fields } : value;
}
