// How a list of rows becomes another one, so that a row that the reader sees can stay where it is.

export interface Keyed {
  readonly key: string;
  /** It stands above the first row of something, and moves up when more of that comes: nobody holds on to it. */
  readonly isLoose?: boolean;
}

interface Plan<R> {
  /** What is drawn first; where it is not all that is wanted, the rest follows before anything is painted. */
  now: readonly R[];
  /** Rows above the reader came or went: places are counted from the end. */
  isShift: boolean;
}

/**
 * A virtual list takes a change of its length either at its start or at its end. `watched` are the keys of rows in
 * sight; what changes before the first one that stays is drawn first, and then what changes behind it.
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
