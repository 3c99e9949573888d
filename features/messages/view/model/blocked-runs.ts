// Messages of blocked people: one row counts those that follow one another, until the reader asks for them.
import { useCallback } from "react";
import { create } from "zustand";
import { useCopy } from "../../../../web/ui/session/house.tsx";
import type { MessageRow, Row } from "./rows.ts";

interface AskedFor {
  /** The people who were blocked at that time: with another list, nothing counts as asked for. */
  blocked: readonly string[];
  ids: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** The messages that the reader asked for. */
const useAskedFor = create<AskedFor>(() => ({ blocked: [], ids: none }));

/** Returns the messages that were asked for while these people were blocked. */
export function askedForWith(
  blocked: readonly string[],
  askedFor = useAskedFor.getState(),
): ReadonlySet<string> {
  return askedFor.blocked === blocked ? askedFor.ids : none;
}

/** Shows the messages of a row until somebody is blocked or unblocked; `folded` as the row has it. */
export function askFor(folded: string, blocked: readonly string[]): void {
  const ids = new Set([...askedForWith(blocked), ...folded.split(" ")]);
  useAskedFor.setState({ blocked, ids });
}

/** Returns a function that folds the rows of a list; another one when somebody is blocked, or a message asked for. */
export function useFolding(): (rows: Row[]) => Row[] {
  const blocked = useCopy((copy) => copy.blocked);
  const askedFor = useAskedFor((state) => askedForWith(blocked, state));
  return useCallback((rows) => foldBlocked(rows, blocked, askedFor), [blocked, askedFor]);
}

/** A folded row stands for its last message; `withSameRows` keeps its key, which is that of its first, as it grows. */
export function foldBlocked(rows: Row[], blocked: readonly string[], askedFor: ReadonlySet<string>): Row[] {
  if (blocked.length === 0) return rows;
  const after: Row[] = [];
  for (const row of rows) {
    const before = after.at(-1);
    const run = before?.kind === "message" && before.folded !== undefined ? before : undefined;
    if (row.kind !== "message") after.push(row);
    else if (!blocked.includes(row.message.author.id) || askedFor.has(row.message.id))
      // Its author's line is not in the run above, which may be of the same person.
      after.push(run ? { ...row, isHead: true, showsTime: true } : row);
    else if (run) {
      const isUnread = run.isUnread || row.isUnread;
      after.splice(-1, 1, { ...row, key: run.key, isUnread, folded: `${run.folded} ${row.message.id}` });
    } else after.push({ ...row, folded: row.message.id });
  }
  return after;
}

/** True if the message is in the row, shown or only counted. */
export function isRowOf(row: MessageRow | undefined, id: string): boolean {
  return row?.message.id === id || row?.folded?.split(" ").includes(id) === true;
}
