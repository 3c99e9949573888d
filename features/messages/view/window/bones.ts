// The layout of a room when it was left: until its messages load, skeleton rows of the same heights stand in for them.
import { keep, kept } from "../../../../web/ui/browser/kept.ts";
import type { Row } from "../model/rows.ts";
import type { Seen, Steady } from "./steady.ts";

/** A visible row: the start of a group, its continuation, or no message. */
export interface Bone {
  height: number;
  is: "head" | "more" | "gap";
}

const key = "bones";
/** The most channels that are remembered, and rows of each. */
const mostChannels = 20;
const mostRows = 30;

export function bonesOf(channelId: string): readonly Bone[] | undefined {
  return kept<Record<string, readonly Bone[]>>(key)?.[channelId];
}

/** `seen` is the last recorded value: reading it now would lay out a page that is being unmounted. */
export function noteBones(
  channelId: string,
  steady: Steady,
  rows: readonly Row[],
  { first, last }: Pick<Seen, "first" | "last">,
): void {
  const bones = rows
    .slice(first, last + 1)
    .slice(-mostRows)
    .map((row): Bone => ({ height: Math.round(steady.heightOf(row.key)), is: kindOf(row) }));
  if (bones.length === 0) return;
  const others = Object.entries(kept<Record<string, readonly Bone[]>>(key) ?? {});
  const recent = others.filter(([id]) => id !== channelId).slice(1 - mostChannels);
  keep(key, Object.fromEntries([...recent, [channelId, bones]]));
}

function kindOf(row: Row): Bone["is"] {
  if (!("isHead" in row)) return "gap";
  return row.isHead ? "head" : "more";
}
