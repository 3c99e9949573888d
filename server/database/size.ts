// The size of the database.
import { sql } from "kysely";
import type { Database } from "./database.ts";

/** Returns the bytes of all tables and indexes, without SQLite's log. */
export async function sizeOf({ engine, read }: Database): Promise<number> {
  const { rows } =
    engine === "sqlite"
      ? await sql<{ bytes: number }>`
          select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(read)
      : await sql<{ bytes: string }>`
          select pg_database_size(current_database()) as bytes`.execute(read);
  return Number(rows[0]?.bytes ?? 0);
}
