// Alternates between two sides and takes medians: on a shared machine a single measurement says little.

import type { Measured } from "./load/jobs.ts";

export interface Turns<Item> {
  hearth: Item[];
  reference: Item[];
}

/** Measures A B A B A B, so that a slow phase of the machine affects both sides. */
export async function takeTurns<Item>(
  rounds: number,
  hearth: () => Promise<Item>,
  reference: (latest: Item) => Promise<Item>,
): Promise<Turns<Item>> {
  const turns: Turns<Item> = { hearth: [], reference: [] };
  for (let round = 0; round < rounds; round++) {
    const latest = await hearth();
    turns.hearth.push(latest);
    turns.reference.push(await reference(latest));
  }
  return turns;
}

/**
 * The ratio is the median of the ratios of all rounds, because both sides of a round had the same conditions.
 * `spread` is the lowest and the highest of these ratios: a difference within it proves nothing.
 */
export function compare<Item>({ hearth, reference }: Turns<Item>, figure: (item: Item) => number) {
  const ratios = hearth.map((item, round) => figure(item) / figure(reference[round]!));
  return {
    value: medianOf(hearth, figure),
    reference: medianOf(reference, figure),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)] as const,
  };
}

/** Returns the share of a core that other programs used in the busiest round of both sides. */
export function othersBusy({ hearth, reference }: Turns<Measured | Measured[]>): number {
  return Math.max(...[...hearth, ...reference].flat().map((turn) => turn.othersBusy));
}

export function medianOf<Item>(items: Item[], figure: (item: Item) => number): number {
  return median(items.map(figure));
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
