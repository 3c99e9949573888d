// How high the rows of a list were when it was left: drawn again, it need not find that out row by row.
import type { CacheSnapshot } from "virtua";
import type { Keyed } from "./row-plan.ts";

/** What virtua hands out and takes: the heights of the rows, in their order, and what it reckons of those not measured. */
type Snapshot = readonly [heights: readonly number[], byDefault: number];

const notMeasured = -1;

interface Sizes {
  byKey: ReadonlyMap<string, number>;
  byDefault: number;
}

/** Of so many lists that were left last. */
const mostLists = 20;
const known = new Map<string, Sizes>();

export function noteSizes(listId: string, rows: readonly Keyed[], snapshot: CacheSnapshot): void {
  const [heights, byDefault] = snapshot as unknown as Snapshot;
  const measured = rows.flatMap(({ key }, i): [string, number][] => {
    const height = heights[i] ?? notMeasured;
    return height === notMeasured ? [] : [[key, height]];
  });
  known.delete(listId);
  known.set(listId, { byKey: new Map(measured), byDefault });
  for (const oldest of known.keys()) if (known.size > mostLists) known.delete(oldest);
}

/** Returns them for the rows of now: of a list that was left, only the newest may be there. */
export function sizesOf(listId: string, rows: readonly Keyed[]): CacheSnapshot | undefined {
  const sizes = known.get(listId);
  if (!sizes) return undefined;
  const heights = rows.map(({ key }) => sizes.byKey.get(key) ?? notMeasured);
  return [heights, sizes.byDefault] satisfies Snapshot as unknown as CacheSnapshot;
}
