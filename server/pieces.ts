// Long work in pieces: no question to the database and no loop is so long that others wait for it.
export { setImmediate as nextTurn } from "node:timers/promises";

/** Rows of the database that one question answers at most, where there can be many. */
export const rowsAtOnce = 500;

/** Neighbours together, as long as they weigh no more than `most`; what is heavier by itself is a piece of its own. */
export function* pieces<T>(items: Iterable<T>, weightOf: (item: T) => number, most: number): Generator<T[]> {
  let piece: T[] = [];
  let weight = 0;
  for (const item of items) {
    const more = weightOf(item);
    if (piece.length > 0 && weight + more > most) {
      yield piece;
      piece = [];
      weight = 0;
    }
    piece.push(item);
    weight += more;
  }
  if (piece.length > 0) yield piece;
}
