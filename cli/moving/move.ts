// The steps of a move: copy during writes, catch up, verify that both ends are the same, and hand over.
import { randomUUID } from "node:crypto";
import { CannotStart } from "../../server/cannot-start.ts";
import type { Db } from "../../server/database/database.ts";
import { checkReferences, endArrival, note, noted } from "./arrival.ts";
import {
  batches,
  countRows,
  deleteRows,
  type End,
  type Key,
  keyOf,
  readPage,
  readRows,
  type Table,
} from "./end.ts";
import { whileHeld } from "./hold.ts";
import {
  type Changes,
  changesSince,
  expectJournal,
  firstCursor,
  refuseWrites,
  renameMove,
} from "./journal.ts";
import { sumTable, written } from "./sums.ts";

/** At most this many changes are left to the final step, in which writers wait. */
const fewChanges = 2000;
const mostRounds = 20;
/** Digits of a checksum that are shown to the operator. */
const shownOfSums = 16;

export interface Move {
  source: End;
  target: End;
  tables: readonly Table[];
  /** Prints a line for the operator. */
  say(line: string): void;
  /** Reports the current step, for progress lines. */
  doing(what: string): void;
}

/** Copies table after table, a page at a time; each page is committed with the note of its last key, or not at all. */
export async function copyTables({ source, target, tables, doing }: Move): Promise<void> {
  for (const table of tables) {
    const name = `copied ${table.name}`;
    const known = await noted(target.db, name);
    if (known === "all") continue;
    let after: Key | undefined = known === undefined ? undefined : JSON.parse(known);
    for (let copied = 0; ; ) {
      const rows = await readPage(source.db, table, after);
      const last = rows.at(-1);
      after = last && keyOf(table, last);
      await target.transaction(async (db) => {
        // Pages are from different moments. If a row conflicts with another, one of them has changed since: it is in
        // the journal, and is copied again.
        if (last) await target.insert(db, table.name, rows, true);
        await note(db, name, after ? JSON.stringify(after) : "all");
      });
      copied += rows.length;
      doing(`${copied} rows of ${table.name} copied`);
      if (!last) break;
    }
  }
}

/** Copies the changes made meanwhile, until few are left. */
export async function catchUp(move: Move): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const { count } = await move.source.snapshot((db) => applyChanges(move, db));
    move.doing(`${count} changed rows brought over`);
    if (count <= fewChanges) return;
  }
}

/** Copies every changed row to the target, as `sourceDb` sees it. */
async function applyChanges({ source, target, tables }: Move, sourceDb: Db): Promise<Changes> {
  const cursor = (await noted(target.db, "cursor")) ?? firstCursor;
  const changes = await changesSince(source, sourceDb, cursor);
  const changed = tables.flatMap((table) => {
    const keys = changes.keys.get(table.name);
    return keys ? [{ table, keys }] : [];
  });
  await target.transaction(async (db) => {
    // Deletes all of them first, so that none conflicts with another's unique name.
    for (const { table, keys } of changed)
      for (const some of batches(keys)) await deleteRows(target, db, table, some);
    for (const { table, keys } of changed)
      for (const some of batches(keys)) {
        const rows = await readRows(source, sourceDb, table, some);
        if (rows.length > 0) await target.insert(db, table.name, rows, false);
      }
    await note(db, "cursor", changes.cursor);
  });
  return changes;
}

/** Reads both ends completely, in one snapshot of the source, and compares counts and checksums of each table. */
export async function prove(move: Move): Promise<void> {
  const { source, target, tables, say, doing } = move;
  await source.snapshot(async (db) => {
    await applyChanges(move, db);
    for (const table of tables) {
      const [one, other] = await Promise.all([
        sumTable(db, table, (rows) => doing(`${rows} rows of ${table.name} compared`)),
        sumTable(target.db, table),
      ]);
      if (one.rows !== other.rows || one.sha256 !== other.sha256)
        throw new CannotStart(
          `The table ${table.name} is not the same in the copy (${one.rows} rows, ${one.sha256}; there ${other.rows} rows, ${other.sha256}). Nothing was handed over: empty the target and begin again.`,
        );
      const sum = one.sha256.slice(0, shownOfSums);
      say(`${table.name}: ${one.rows} rows, SHA-256 ${sum}, the same at both ends.`);
    }
  });
}

/**
 * While writers wait, copies the last changes, compares them and all counts, and marks the source as moved. If killed
 * in here, the source continues unchanged. Returns how long writers waited, in milliseconds.
 */
export async function handOver(move: Move): Promise<number> {
  const { source, target, tables, doing } = move;
  let held = 0;
  await whileHeld(source, tables, { away: "writers" }, async (db) => {
    held = performance.now();
    await expectJournal(source, db, tables);
    doing("writers wait");
    const { keys } = await applyChanges(move, db);
    for (const table of tables) {
      for (const some of batches(keys.get(table.name) ?? [])) {
        const one = written(table, await readRows(source, db, table, some));
        if (one !== written(table, await readRows(target, target.db, table, some))) throw differs(table);
      }
      const [here, there] = await Promise.all([countRows(db, table), countRows(target.db, table)]);
      if (here !== there) throw differs(table);
    }
    await checkReferences(target);
    // The same move may also have copied a part of the source to another target.
    const end = randomUUID();
    await note(target.db, "end", end);
    await renameMove(db, end);
    await refuseWrites(source, db, tables, target.name);
  });
  const waited = performance.now() - held;
  await endArrival(target);
  return waited;
}

function differs({ name }: Table): CannotStart {
  return new CannotStart(
    `The last changes of the table ${name} did not arrive as they are. Nothing was handed over: empty the target and begin again.`,
  );
}
