// Finds the highest id that the database holds, so that those made from now on come after it.
import { sql } from "kysely";
import type { Database } from "./database.ts";

/** UUIDv7: what other services call their things is no id of ours. */
const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Of all tables whose key is called `id`: a look at the end of an index each. Undefined when there is none. */
export async function selectHighestId({ engine, read }: Database): Promise<string | undefined> {
  const { rows: tables } =
    engine === "sqlite"
      ? await sql<{ name: string }>`
          select tables.name as name from sqlite_schema as tables, pragma_table_info(tables.name) as columns
          where tables.type = 'table' and columns.name = 'id'`.execute(read)
      : await sql<{ name: string }>`
          select table_name as name from information_schema.columns
          where table_schema = current_schema() and column_name = 'id' and udt_name = 'uuid'`.execute(read);
  let highest: string | undefined;
  for (const { name } of tables) {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(name)} order by id desc limit 1`.execute(read);
    for (const { id } of rows) if (pattern.test(id) && id > (highest ?? "")) highest = id;
  }
  return highest;
}
