// Computes the positions for a new order of roles with as few changes as possible.
import { limits } from "../../../protocol/limits.ts";

interface Ranked {
  id: string;
  position: number;
}

/** The owner's rank, above all possible positions. */
export const ownersRank = limits.position_max + 1;

/**
 * Returns the roles whose position has to change for this order, highest first, all of them below `rank`; undefined if
 * there is no room for them.
 */
export function positionsFor(wanted: readonly Ranked[], rank: number): Ranked[] | undefined {
  const lowestFirst = [...wanted].reverse();
  if (lowestFirst.length >= rank) return undefined;
  const kept = longestRising(lowestFirst, rank);
  const changes: Ranked[] = [];
  let below = 0;
  for (const [i, { id, position }] of lowestFirst.entries()) {
    // A role that keeps its position bounds those that move below it.
    const ceiling = ceilingOf(lowestFirst, kept, i, rank);
    const after = kept.has(i) && position > below && position < ceiling ? position : below + 1;
    if (after >= ceiling) return renumbered(lowestFirst, rank);
    if (after !== position) changes.push({ id, position: after });
    below = after;
  }
  return changes;
}

/** Numbers the roles consecutively, whatever their positions were. */
function renumbered(lowestFirst: readonly Ranked[], rank: number): Ranked[] | undefined {
  if (lowestFirst.length >= rank) return undefined;
  return lowestFirst
    .map(({ id, position }, i) => ({ id, position: i + 1, before: position }))
    .filter(({ position, before }) => position !== before)
    .map(({ id, position }) => ({ id, position }));
}

function ceilingOf(roles: readonly Ranked[], kept: ReadonlySet<number>, at: number, rank: number): number {
  if (kept.has(at)) return rank;
  const next = roles.findIndex((_, i) => i > at && kept.has(i));
  return next === -1 ? rank : (roles[next]?.position ?? rank);
}

/** Returns the indexes of the most roles that can keep their position. */
function longestRising(roles: readonly Ranked[], rank: number): ReadonlySet<number> {
  const lengths: number[] = [];
  const before: number[] = [];
  let end = -1;
  for (const [i, { position }] of roles.entries()) {
    if (position < 1 || position >= rank) continue;
    lengths[i] = 1;
    before[i] = -1;
    for (let j = 0; j < i; j++) {
      const isLower = (roles[j]?.position ?? 0) < position;
      if (lengths[j] !== undefined && isLower && (lengths[j] ?? 0) + 1 > (lengths[i] ?? 0)) {
        lengths[i] = (lengths[j] ?? 0) + 1;
        before[i] = j;
      }
    }
    if (end === -1 || (lengths[i] ?? 0) > (lengths[end] ?? 0)) end = i;
  }
  const kept = new Set<number>();
  for (let i = end; i !== -1; i = before[i] ?? -1) kept.add(i);
  return kept;
}
