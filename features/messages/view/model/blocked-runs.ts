// Messages of blocked people: one row counts those that follow one another, until the reader asks for them.
import { useCallback, useEffect } from "react";
import { create } from "zustand";
import { useCopy } from "../../../../web/ui/session/house.tsx";
import type { MessageRow, Row } from "./rows.ts";

/** The messages that the reader asked for, by id; the list forgets them when somebody is blocked or unblocked. */
export const useAskedFor = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

/** Shows the messages of a row; `folded` as the row has it. */
export function askFor(folded: string): void {
  useAskedFor.setState(({ ids }) => ({ ids: new Set([...ids, ...folded.split(" ")]) }));
}

function forgetAskedFor(): void {
  if (useAskedFor.getState().ids.size > 0) useAskedFor.setState({ ids: new Set() });
}

/** Returns a function that folds the rows of a list; another one when somebody is blocked, or a message asked for. */
export function useFolding(): (rows: Row[]) => Row[] {
  const blocked = useCopy((copy) => copy.blocked);
  const askedFor = useAskedFor((state) => state.ids);
  // biome-ignore lint/correctness/useExhaustiveDependencies: somebody else is blocked then.
  useEffect(() => forgetAskedFor, [blocked]);
  return useCallback((rows) => foldBlocked(rows, blocked, askedFor), [blocked, askedFor]);
}

/** A folded row stands for its last message, and has the key of its first. */
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
