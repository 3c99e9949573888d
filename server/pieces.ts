// Long lists piece by piece: between two pieces, whoever else waits has their turn.
import { Json } from "./reply.ts";

/** Lets everything that waits have its turn: what the embedded engine answers at once would else keep all others out. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The list as JSON, of so many things at a time; `shown` turns a piece into what is answered of it. */
export async function inPieces<T>(
  things: readonly T[],
  shown: (piece: readonly T[]) => Promise<readonly unknown[]> | readonly unknown[],
  size = 100,
): Promise<Json> {
  const texts: string[] = [];
  for (let start = 0; start < things.length; start += size) {
    if (start > 0) await turn();
    const items = await shown(things.slice(start, start + size));
    if (items.length > 0) texts.push(withoutBrackets(items));
  }
  return new Json(`[${texts.join(",")}]`);
}

/** The items as JSON, for a place inside a longer list. */
export function withoutBrackets(items: readonly unknown[]): string {
  return JSON.stringify(items).slice(1, -1);
}
