// Inserts the rows of a commit, table by table: one insert for the rows of many operations.
import type { Database, Db, Row } from "../database/database.ts";
import { nextTurn } from "./pieces.ts";
import type { PendingAppend } from "./unit.ts";

/**
 * Inserts the rows of several operations, first those that a taken key may turn away. Returns the indexes of the
 * operations that were turned away; none of their other rows is inserted.
 */
export async function insertSkippingTaken(
  database: Database,
  db: Db,
  operations: readonly (readonly PendingAppend[])[],
): Promise<Set<number>> {
  const refused = new Set<number>();
  const all = operations.flatMap((appends, by) => appends.map((append) => ({ by, append })));
  const keyed = all.filter(({ append }) => append.ifTaken === "skip");
  for (const [table, those] of Map.groupBy(keyed, ({ append }) => append.table)) {
    const compared = byKey(those[0]?.append.row ?? {});
    const rows = database.locksRows
      ? those.toSorted((one, other) => compared(one.append.row, other.append.row))
      : those;
    const inserted = await database.insertRows(
      db,
      table,
      rows.map(({ append }) => append.row),
      true,
    );
    rows.forEach(({ by }, i) => {
      if (!inserted[i]) refused.add(by);
    });
  }
  const rest = all.filter(({ by, append }) => append.ifTaken === "fail" && !refused.has(by));
  await insertAppends(
    database,
    db,
    rest.map(({ append }) => append),
  );
  return refused;
}

/**
 * Compares rows like this one by their keys, which begin at the second column: the first one identifies the row. A row
 * keeps its key from others until its commit ends, so without a global order two commits with the same keys would
 * deadlock.
 */
function byKey(first: Row): (one: Row, other: Row) => number {
  const [, ...columns] = Object.keys(first);
  return (one, other) => {
    for (const column of columns) {
      const [left, right] = [one[column] ?? "", other[column] ?? ""];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  };
}

/** The most rows of one insert. One operation may append more: a push for each browser of many members. */
const insertedAtOnce = 600;

export async function insertAppends(
  database: Database,
  db: Db,
  appends: readonly PendingAppend[],
): Promise<void> {
  for (const [table, those] of Map.groupBy(appends, (append) => append.table)) {
    const rows = those.map((append) => append.row);
    for (let start = 0; start < rows.length; start += insertedAtOnce) {
      if (start > 0) await nextTurn();
      await database.insertRows(db, table, rows.slice(start, start + insertedAtOnce), false);
    }
  }
}
