// Plans the change from one list of rows to another, so that the rows in view can stay in place.

export interface Keyed {
  readonly key: string;
  /** Precedes the first row of a group, and moves up when more rows join it: it cannot serve as an anchor. */
  readonly isLoose?: boolean;
}

interface Plan<R> {
  /** The rows to render first; if they are not the final ones, those follow before paint. */
  now: readonly R[];
  /** True if rows above the reader were added or removed: positions are then counted from the end. */
  isShift: boolean;
}

/**
 * A virtual list handles a change of its length at its start or at its end, but not both. `watched` are the keys of
 * visible rows; changes before the first one that stays are rendered first, and then those after it.
 */
export function planOf<R extends Keyed>(
  before: readonly R[],
  wanted: readonly R[],
  watched: readonly string[],
): Plan<R> {
  const all = { now: wanted, isShift: false };
  const places = new Map(wanted.map(({ key }, i) => [key, i]));
  const key =
    watched.find((each) => places.has(each)) ?? before.findLast((each) => places.has(each.key))?.key;
  const from = before.findIndex((each) => each.key === key);
  const to = key === undefined ? undefined : places.get(key);
  if (from < 0 || to === undefined || from === to) return all;
  if (before.length - from === wanted.length - to) return { now: wanted, isShift: true };
  const head = wanted.slice(0, to);
  const known = new Set(head.map((each) => each.key));
  const tail = before.slice(from).filter((each) => !known.has(each.key));
  return { now: [...head, ...tail], isShift: true };
}
