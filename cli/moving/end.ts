// One end of a move, on either engine: its tables, its transactions, and reads and writes of rows by key.
import { type RawBuilder, sql } from "kysely";
import type { Db, Row, TableName } from "../../server/database/database.ts";
import { expandedBy } from "../../server/database/migrate.ts";
import { arrivingKey } from "../../server/database/moved.ts";

export type Key = readonly (string | number)[];

export interface Table {
  name: TableName;
  /** In the order of names. */
  columns: readonly string[];
  /** The columns of the primary key, in its order. */
  key: readonly string[];
}

export interface End {
  readonly engine: "sqlite" | "postgres";
  readonly db: Db;
  /** The name shown to people, without a password. */
  readonly name: string;
  /** Returns all tables of the database. */
  tables(): Promise<Table[]>;
  /** All reads of `work` see the same snapshot of the database. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  insert(db: Db, table: TableName, rows: readonly Row[], skipTaken: boolean): Promise<unknown>;
  /** Returns the condition that selects the rows with these keys. */
  picks(table: Table, keys: readonly Key[]): RawBuilder<unknown>;
  close(): Promise<void>;
}

/** Rows read or written per statement. */
const rowsAtOnce = 2000;

/** Returns rows above the key `after`, in the order of keys, which is the same on both engines. */
export async function readPage(db: Db, table: Table, after: Key | undefined): Promise<Row[]> {
  const above = after
    ? sql`(${refs(table.key)}) > (${sql.join(after.map((value) => sql`${value}`))})`
    : sql`true`;
  const { rows } = await sql<Row>`select ${refs(table.columns)} from ${sql.table(table.name)}
    where ${above} and ${counted(table)} order by ${refs(table.key)} limit ${rowsAtOnce}`.execute(db);
  return rows;
}

export async function readRows(end: End, db: Db, table: Table, keys: readonly Key[]): Promise<Row[]> {
  const { rows } = await sql<Row>`select ${refs(table.columns)} from ${sql.table(table.name)}
    where ${end.picks(table, keys)} order by ${refs(table.key)}`.execute(db);
  return rows;
}

export async function deleteRows(end: End, db: Db, table: Table, keys: readonly Key[]): Promise<void> {
  await sql`delete from ${sql.table(table.name)} where ${end.picks(table, keys)}`.execute(db);
}

export async function countRows(db: Db, table: Table): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table.name)} where ${counted(table)}`.execute(db);
  return Number(rows[0]?.count);
}

export function keyOf(table: Table, row: Row): Key {
  return table.key.map((column) => row[column] ?? "");
}

function refs(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

export function* batches<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += rowsAtOnce) yield list.slice(at, at + rowsAtOnce);
}

/**
 * Excludes rows that differ by design: the mark of an unfinished move is in its target only, and the marks of
 * migrations belong to each engine.
 */
function counted({ name }: Table): RawBuilder<unknown> {
  return name === "instance" ? sql`key <> ${arrivingKey} and key not like ${`${expandedBy}%`}` : sql`true`;
}
