// Changes to a table that SQLite cannot make in place: a new table takes over the rows of the old one, in pieces.
import { type Migration, sql } from "kysely";
import type { Report } from "./migrate.ts";

type MigrationDb = Parameters<Migration["up"]>[0];

/** Rows between two progress reports: some seconds of copying. */
const rowsAtOnce = 100_000;

interface Replacement {
  table: string;
  /** Creates the new table under the given name. The caller recreates the indexes. */
  create(name: string): Promise<void>;
  /** Columns of the old table's primary key. */
  key: readonly string[];
  /** By new column, in order, its expression over the old table. Left out: the same columns in the same order. */
  columns?: Readonly<Record<string, string>>;
}

/** Both tables exist until the migration commits: an interrupted one starts over. */
export async function replaceTable(
  db: MigrationDb,
  { table, create, key, columns }: Replacement,
  report: Report = () => {},
): Promise<void> {
  const next = `${table}_next`;
  await create(next);
  const taken = columns
    ? sql.join(Object.entries(columns).map(([name, from]) => sql`${sql.raw(from)} as ${sql.ref(name)}`))
    : sql`*`;
  const keyed = sql.join(key.map((column) => sql.ref(column)));
  let above = sql`true`;
  for (let rows = rowsAtOnce; ; rows += rowsAtOnce) {
    const last = await sql<Record<string, unknown>>`select ${keyed} from ${sql.table(table)} where ${above}
      order by ${keyed} limit 1 offset ${rowsAtOnce - 1}`.execute(db);
    const end = last.rows[0];
    const values = end && sql`(${sql.join(key.map((column) => end[column]))})`;
    const range = values ? sql`${above} and (${keyed}) <= ${values}` : above;
    await sql`insert into ${sql.table(next)} select ${taken} from ${sql.table(table)}
      where ${range} order by ${keyed}`.execute(db);
    if (!values) break;
    report(`${rows} rows of the table ${table} are brought up to date`);
    above = sql`(${keyed}) > ${values}`;
  }
  await db.schema.dropTable(table).execute();
  await db.schema.alterTable(next).renameTo(table).execute();
}
