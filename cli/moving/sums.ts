// The number of rows of a table, and a checksum of them in the order of keys: the same on both engines.
import { createHash } from "node:crypto";
import type { Db } from "../../server/database/database.ts";
import { type Key, keyOf, readPage, type Table } from "./end.ts";

interface TableSum {
  rows: number;
  /** In hexadecimal. */
  sha256: string;
}

export type TableSums = Record<string, TableSum>;

export async function sumTables(db: Db, tables: readonly Table[]): Promise<TableSums> {
  const sums: TableSums = {};
  for (const table of tables) sums[table.name] = await sumTable(db, table);
  return sums;
}

export async function sumTable(
  db: Db,
  table: Table,
  told: (rows: number) => void = () => {},
): Promise<TableSum> {
  const hash = createHash("sha256");
  let rows = 0;
  for (let after: Key | undefined; ; ) {
    const page = await readPage(db, table, after);
    const last = page.at(-1);
    if (!last) return { rows, sha256: hash.digest("hex") };
    after = keyOf(table, last);
    hash.update(written(table, page));
    rows += page.length;
    told(rows);
  }
}

export function written({ columns }: Table, rows: readonly Readonly<Record<string, unknown>>[]): string {
  return rows.map((row) => `${JSON.stringify(columns.map((column) => row[column]))}\n`).join("");
}

/** Returns the name of a table that differs, or is on one side only. */
export function firstDifference(wanted: TableSums, found: TableSums): string | undefined {
  const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  return [...names].find((name) => {
    const [one, other] = [wanted[name], found[name]];
    return one?.rows !== other?.rows || one?.sha256 !== other?.sha256;
  });
}
