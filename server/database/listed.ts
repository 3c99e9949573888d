// A list of ids as the rows of a table: one value of a statement, whose text is the same however long the list is.
import { PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Db } from "./database.ts";

/** `json` is a JSON array of ids: `db.selectFrom(listed(db, json).as("asked")).select("asked.id")`. */
export function listed(db: Db, json: string): RawBuilder<{ id: string }> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`(select value::uuid as id from json_array_elements_text(${json}::json))`
    : sql`(select value as id from json_each(${json}))`;
}
