// Long work in pieces: no question to the database and no loop is so long that others wait for it.
import { setImmediate as nextTurn } from "node:timers/promises";
import { Json } from "./reply.ts";

export { nextTurn };

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

/** The list as JSON, of so many things at a time; `shown` turns a piece into what is answered of it. */
export async function inPieces<T>(
  things: readonly T[],
  shown: (piece: readonly T[]) => Promise<readonly unknown[]> | readonly unknown[],
  size = 100,
): Promise<Json> {
  const texts: string[] = [];
  for (let start = 0; start < things.length; start += size) {
    if (start > 0) await nextTurn();
    const items = await shown(things.slice(start, start + size));
    if (items.length > 0) texts.push(withoutBrackets(items));
  }
  return new Json(`[${texts.join(",")}]`);
}

/** The items as JSON, for a place inside a longer list. */
export function withoutBrackets(items: readonly unknown[]): string {
  return JSON.stringify(items).slice(1, -1);
}
