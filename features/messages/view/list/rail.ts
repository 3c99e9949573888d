// The scale of the day rail: the share of each loaded day, and the position of a row.
import type { Row } from "../model/rows.ts";

export interface Segment {
  day: Date;
  /** Row indexes: the first of the day, and the one after its last. */
  from: number;
  to: number;
  /** Fractions of the rail, from the top. */
  start: number;
  end: number;
  unread: number;
}

/** The smallest share of the rail that a day takes. */
const leastShare = 0.035;

export function segmentsOf(rows: readonly Row[]): Segment[] {
  const starts = rows.flatMap((row, i) => (row.kind === "day" ? [{ day: row.day, from: i }] : []));
  const days = starts.map(({ day, from }, i) => ({ day, from, to: starts[i + 1]?.from ?? rows.length }));
  const shares = days.map(({ from, to }) => Math.max(leastShare, (to - from) / rows.length));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let end = 0;
  return days.map((day, i) => {
    const start = end;
    end = start + (shares[i] ?? 0) / whole;
    const unread = rows.slice(day.from, day.to).reduce((sum, row) => sum + unreadOf(row), 0);
    return { ...day, start, end, unread };
  });
}

/** How many unread messages a row shows or counts. */
function unreadOf(row: Row): number {
  if (row.kind !== "message" || !row.isUnread) return 0;
  return row.folded?.split(" ").length ?? 1;
}

/** Returns the position on the rail at which a row begins. */
export function positionOf(segments: readonly Segment[], index: number): number {
  const segment = segments.findLast(({ from }) => from <= index);
  if (!segment) return 0;
  const { from, to, start, end } = segment;
  return start + ((end - start) * Math.min(index - from, to - from)) / Math.max(1, to - from);
}

/** Returns the index of the row at a position of the rail. */
export function indexAt(segments: readonly Segment[], position: number): number {
  const segment = segments.findLast(({ start }) => start <= position) ?? segments[0];
  if (!segment) return 0;
  const { from, to, start, end } = segment;
  const part = Math.min(1, Math.max(0, (position - start) / (end - start)));
  return Math.min(to - 1, from + Math.floor(part * (to - from)));
}
