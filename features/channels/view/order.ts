// The order of channels by category and position, and the changes that move one.
import { limits } from "../../../protocol/limits.ts";
import type { OwnChannel, OwnChannels } from "../state.ts";

/** Returns the channels without a category first, then the categories in the order of their first channels. */
export function byCategory(channels: OwnChannels): [string | null, readonly OwnChannel[]][] {
  const sorted = [...channels.values()].sort(
    (one, other) => one.position - other.position || (one.id < other.id ? -1 : 1),
  );
  const categories = new Map<string | null, OwnChannel[]>();
  for (const channel of sorted) {
    const known = categories.get(channel.category);
    if (known) known.push(channel);
    else categories.set(channel.category, [channel]);
  }
  return [...categories].sort(([one], [other]) => Number(one !== null) - Number(other !== null));
}

/** Returns the channels in the order of `byCategory`, as one list. */
export function inOrder(channels: OwnChannels): readonly OwnChannel[] {
  return byCategory(channels).flatMap(([, some]) => some);
}

export interface Placed {
  id: string;
  position: number;
  category: string | null;
}

/** A target: before another channel, or at the end of a category. */
export interface Place {
  category: string | null;
  before: string | undefined;
}

/** The gap between positions: others find room in it without moving all. */
const gap = 10;

/** Returns the changes that move a channel to the place: of itself alone, when there is room. */
export function placed(channels: OwnChannels, id: string, { category, before }: Place): readonly Placed[] {
  const moved = channels.get(id);
  if (!moved || before === id) return [];
  const others = inOrder(channels).filter((channel) => channel.id !== id);
  const at = indexOf(others, category, before);
  const low = others[at - 1]?.position;
  const high = others[at]?.position;
  const position = between(low, high);
  if (position !== undefined) {
    return moved.position === position && moved.category === category ? [] : [{ id, position, category }];
  }
  const list = [...others.slice(0, at), { ...moved, category }, ...others.slice(at)];
  return list.flatMap((channel, index) => {
    const next = { id: channel.id, position: (index + 1) * gap, category: channel.category };
    const isSame = channel.position === next.position && channel.id !== id;
    return isSame ? [] : [next];
  });
}

function indexOf(others: readonly OwnChannel[], category: string | null, before: string | undefined): number {
  const at = others.findIndex((channel) => channel.id === before);
  if (at >= 0) return at;
  const last = others.findLastIndex((channel) => channel.category === category);
  if (last >= 0) return last + 1;
  return category === null ? 0 : others.length;
}

/** Returns a position between two neighbours; undefined when there is none. */
function between(low: number | undefined, high: number | undefined): number | undefined {
  if (low === undefined && high === undefined) return 0;
  if (high === undefined) return (low ?? 0) + gap <= limits.position_max ? (low ?? 0) + gap : undefined;
  if (low === undefined) return high > 0 ? Math.floor(high / 2) : undefined;
  return high - low > 1 ? Math.floor((low + high) / 2) : undefined;
}

/** Returns the place after one step up or down; undefined at the ends. */
export function stepped(channels: OwnChannels, id: string, step: 1 | -1): Place | undefined {
  const groups = byCategory(channels);
  const group = groups.findIndex(([, some]) => some.some((channel) => channel.id === id));
  const [category, some] = groups[group] ?? [null, []];
  const at = some.findIndex((channel) => channel.id === id);
  if (step < 0 && at > 0) return { category, before: some[at - 1]?.id };
  if (step > 0 && at >= 0 && at < some.length - 1) return { category, before: some[at + 2]?.id };
  const next = groups[group + step];
  if (!next || at < 0) return undefined;
  return { category: next[0], before: step > 0 ? next[1][0]?.id : undefined };
}

/** Returns the changes that move a category one place up or down among the others; none at the ends. */
export function steppedCategory(channels: OwnChannels, category: string, step: 1 | -1): readonly Placed[] {
  const groups = byCategory(channels);
  const named = groups.filter(([name]) => name !== null);
  const at = named.findIndex(([name]) => name === category);
  const other = named[at + step];
  const moved = named[at];
  if (!moved || !other) return [];
  const swapped = groups.map((group) => (group === moved ? other : group === other ? moved : group));
  return swapped
    .flatMap(([, some]) => some)
    .map(({ id, category, position }, i) => ({ id, category, position: (i + 1) * gap, before: position }))
    .filter(({ position, before }) => position !== before)
    .map(({ id, category, position }) => ({ id, category, position }));
}
