// Long work in pieces: no query and no loop is so long that other requests wait for it.
import { setImmediate as nextTurn } from "node:timers/promises";
import { Json } from "./reply.ts";

export { nextTurn };

/** Returns a function whose promises resolve in order, one in each turn of the event loop. */
function oneEachTurn(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const runOne = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(runOne);
  };
  return () => {
    if (waiting.length === 0) setImmediate(runOne);
    return new Promise((run) => {
      waiting.push(run);
    });
  };
}

/**
 * Resolves when a piece of a long read may run: one in each turn of the event loop, however many people read at once.
 * Not for work inside a transaction, which others wait for.
 */
export const pieceTurn = oneEachTurn();

/** The same for a post that is expensive to parse. Hundreds may come at once, and long reads do not wait for them. */
export const postTurn = oneEachTurn();

/** The same for an expensive write. Several in a row would be one long turn. */
export const dearWriteTurn = oneEachTurn();

/**
 * The same for a socket whose state is loaded and sent to it next. When thousands reconnect at once, people who are
 * already connected keep reading.
 */
export const signInTurn = oneEachTurn();

/** The pace of work in many short steps, which may take long together. */
export class Pace {
  #since = performance.now();

  /** Gives other work a turn when the steps since the last one took long; otherwise there is nothing to wait for. */
  rest(): Promise<void> | undefined {
    return performance.now() - this.#since < stepsMs ? undefined : this.#turn();
  }

  async #turn(): Promise<void> {
    await pieceTurn();
    this.#since = performance.now();
  }
}

/** How long steps run one after the other, in milliseconds. */
const stepsMs = 1;

/** The most rows that one query returns, where there can be many. */
export const rowsAtOnce = 500;

/** Yields runs of adjacent items that weigh at most `most`; a heavier item is a piece of its own. */
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

/** The length of the JSON text that is made in one go, in characters. Items differ a thousandfold in length. */
const jsonAtOnce = 64 * 1024;
/** The first items of a list tell how long the others may be. */
const firstItems = 10;

/** Yields the items as JSON without the brackets, in texts that are each made in one go. */
export function* jsonTexts(items: readonly unknown[]): Generator<string> {
  let size = firstItems;
  for (let start = 0; start < items.length; ) {
    const piece = items.slice(start, start + size);
    const text = withoutBrackets(piece);
    yield text;
    start += piece.length;
    const fitting = Math.floor((piece.length * jsonAtOnce) / text.length);
    size = Math.min(Math.max(1, fitting), 4 * piece.length);
  }
}

const encoder = new TextEncoder();

/** Returns the list as JSON, made in turns of `size` things; `shown` turns a piece into its JSON values. */
export async function inPieces<T>(
  things: readonly T[],
  shown: (piece: readonly T[]) => Promise<readonly unknown[]> | readonly unknown[],
  size = 100,
): Promise<Json> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < things.length; start += size) {
    if (start > 0) await pieceTurn();
    const items = await shown(things.slice(start, start + size));
    if (items.length === 0) continue;
    const text = withoutBrackets(items);
    parts.push(encoder.encode(parts.length > 0 ? `,${text}` : text));
  }
  return new Json(new Blob(["[", ...parts, "]"]));
}

/** Returns the items as JSON without the brackets, for a place inside a longer list. */
export function withoutBrackets(items: readonly unknown[]): string {
  return JSON.stringify(items).slice(1, -1);
}

/** Removes and returns the first of these ids, at most so many. */
export function takeFrom(ids: Set<string>, most: number): string[] {
  const some = [...ids.values().take(most)];
  for (const id of some) ids.delete(id);
  return some;
}
