// Long work in pieces: no query and no loop is so long that other requests wait for it.
import { setImmediate as nextTurn } from "node:timers/promises";
import { Json } from "./reply.ts";

export { nextTurn };

/** The most rows that one query returns, where there can be many. */
export const rowsAtOnce = 500;

/** Yields neighbours together while they weigh no more than `most`; an item that is heavier is a piece of its own. */
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

/** Returns the list as JSON, made in turns of `size` things; `shown` turns a piece into its JSON values. */
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

/** Returns the items as JSON without the brackets, for a place inside a longer list. */
export function withoutBrackets(items: readonly unknown[]): string {
  return JSON.stringify(items).slice(1, -1);
}
