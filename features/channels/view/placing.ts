// The changes that move a channel to another place: loaded after the first message.
import { limits } from "../../../protocol/limits.ts";
import type { OwnChannel, OwnChannels } from "../state.ts";
import { inOrder } from "./order.ts";

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
export const gap = 10;

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
