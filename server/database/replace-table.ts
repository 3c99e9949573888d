// Drops a constraint on SQLite, which cannot do so in place: a new table takes over the rows.
import { type Migration, sql } from "kysely";

type MigrationDb = Parameters<Migration["up"]>[0];

/** `create` makes the new table, with the same columns in the same order; the caller makes the indexes anew. */
export async function replaceTable(
  db: MigrationDb,
  table: string,
  create: (name: string) => Promise<void>,
  orderBy: readonly string[],
): Promise<void> {
  const next = `${table}_next`;
  await create(next);
  const order = sql.join(orderBy.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(next)} select * from ${sql.table(table)} order by ${order}`.execute(db);
  await db.schema.dropTable(table).execute();
  await db.schema.alterTable(next).renameTo(table).execute();
}
