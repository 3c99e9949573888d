// The order of channels by category and position.
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
