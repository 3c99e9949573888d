// One step of a channel, or of a category, up or down: loaded with the menus.
import type { OwnChannels } from "../state.ts";
import { byCategory } from "./order.ts";
import { gap, type Place, type Placed } from "./placing.ts";

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
