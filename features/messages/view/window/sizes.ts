// Row heights of a list as it was left: rendered again, it need not measure them row by row.
import type { CacheSnapshot } from "virtua";
import type { Keyed } from "./row-plan.ts";

/** virtua's cache format: the row heights in order, and the default for unmeasured rows. */
type Snapshot = readonly [heights: readonly number[], byDefault: number];

const notMeasured = -1;

interface Sizes {
  byKey: ReadonlyMap<string, number>;
  byDefault: number;
}

/** The number of recently left lists that are remembered. */
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

/** Returns the heights for the current rows: of a list that was left, only the newest may be loaded. */
export function sizesOf(listId: string, rows: readonly Keyed[]): CacheSnapshot | undefined {
  const sizes = known.get(listId);
  if (!sizes) return undefined;
  const heights = rows.map(({ key }) => sizes.byKey.get(key) ?? notMeasured);
  return [heights, sizes.byDefault] satisfies Snapshot as unknown as CacheSnapshot;
}
