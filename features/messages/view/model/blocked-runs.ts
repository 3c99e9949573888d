// Messages of blocked people: one row counts those that follow one another, until the reader asks for them.
import { create } from "zustand";
import type { MessageRow, Row } from "./rows.ts";

/** The messages that the reader asked for, by id. */
export const useAskedFor = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

/** Shows the messages of a row; `folded` as the row has it. */
export function askFor(folded: string): void {
  useAskedFor.setState(({ ids }) => ({ ids: new Set([...ids, ...folded.split(" ")]) }));
}

/** A folded row stands for its last message, and has the key of its first. */
export function foldBlocked(rows: Row[], blocked: readonly string[], askedFor: ReadonlySet<string>): Row[] {
  if (blocked.length === 0) return rows;
  const after: Row[] = [];
  for (const row of rows) {
    const before = after.at(-1);
    if (row.kind !== "message" || !blocked.includes(row.message.author.id) || askedFor.has(row.message.id))
      after.push(row);
    else if (before?.kind === "message" && before.folded)
      after.splice(-1, 1, { ...row, key: before.key, folded: `${before.folded} ${row.message.id}` });
    else after.push({ ...row, folded: row.message.id });
  }
  return after;
}

/** True if the message is in the row, shown or only counted. */
export function isRowOf(row: MessageRow | undefined, id: string): boolean {
  return row?.message.id === id || row?.folded?.includes(id) === true;
}
