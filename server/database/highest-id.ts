// Finds the highest id in the database, so that new ids sort after it.
import { sql } from "kysely";
import type { Database } from "./database.ts";

/** Matches a UUIDv7. Ids of other services are left out. */
const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Looks at the end of each index that begins with `id`. Undefined when the database is empty. */
export async function selectHighestId({ engine, read }: Database): Promise<string | undefined> {
  const { rows: tables } =
    engine === "sqlite"
      ? await sql<{ name: string }>`
          select distinct tables.name as name from sqlite_schema as tables,
            pragma_index_list(tables.name) as indexes, pragma_index_info(indexes.name) as columns
          where tables.type = 'table' and columns.seqno = 0 and columns.name = 'id'`.execute(read)
      : await sql<{ name: string }>`
          select distinct relname as name from pg_index
          join pg_attribute on attrelid = indrelid and attnum = indkey[0]
          join pg_class on pg_class.oid = indrelid
          where attname = 'id' and atttypid = 'uuid'::regtype
            and relnamespace = current_schema()::regnamespace`.execute(read);
  let highest: string | undefined;
  for (const { name } of tables) {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(name)} order by id desc limit 1`.execute(read);
    for (const { id } of rows) if (pattern.test(id) && id > (highest ?? "")) highest = id;
  }
  return highest;
}
