// Ranks names for a query: those that begin with it first, then those with a word that does, then other matches.
import { folded } from "../../../../protocol/folded.ts";

/** Lower is better; undefined if the name does not match. */
export function rankOf(names: readonly string[], query: string): number | undefined {
  const wanted = folded(query);
  let best: number | undefined;
  for (const name of names) {
    const rank = rankOfOne(folded(name), wanted);
    if (rank !== undefined && (best === undefined || rank < best)) best = rank;
  }
  return best;
}

function rankOfOne(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0;
  const place = name.indexOf(wanted);
  if (place < 0) return undefined;
  if (place === 0) return 1;
  return /[\s_.-]/.test(name[place - 1] ?? "") ? 2 : 3;
}

/** Returns the matching items, best first; equal matches keep their order. */
export function fitting<Item>(
  items: Iterable<Item>,
  query: string,
  namesOf: (item: Item) => readonly string[],
  most: number,
): Item[] {
  const ranked: { item: Item; rank: number }[] = [];
  for (const item of items) {
    const rank = rankOf(namesOf(item), query);
    if (rank !== undefined) ranked.push({ item, rank });
  }
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ item }) => item);
}
