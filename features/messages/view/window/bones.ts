// What a room looked like when it was left: until its messages are there, bones of rows of the same heights stand for them.
import { keep, kept } from "../../../../web/ui/browser/kept.ts";
import type { Row } from "../model/rows.ts";
import type { Seen, Steady } from "./steady.ts";

/** A row in sight: whether it begins a group, continues one, or is no message. */
export interface Bone {
  height: number;
  is: "head" | "more" | "gap";
}

const key = "bones";
/** Of so many channels it is kept, and of each so many rows. */
const mostChannels = 20;
const mostRows = 30;

export function bonesOf(channelId: string): readonly Bone[] | undefined {
  return kept<Record<string, readonly Bone[]>>(key)?.[channelId];
}

/** `seen` as it was noted last: asking for it now would lay out a page that is being taken apart. */
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
  if (row.kind === "day" || row.kind === "new") return "gap";
  return row.isHead ? "head" : "more";
}
