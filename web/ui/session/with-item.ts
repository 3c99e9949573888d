// A fetched list after one of its items was made or changed here.

/** Returns the list with the item at its end; a former one with its id goes, as an answer may contain it already. */
export function withItem<T extends { id: string }>(list: readonly T[], item: T): T[] {
  return [...list.filter(({ id }) => id !== item.id), item];
}
