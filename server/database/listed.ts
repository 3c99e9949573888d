// Passes a list of ids, or of small rows, as a single parameter, so that the statement's text is always the same.
import { PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Db } from "./database.ts";

/** `json` is a JSON array of ids: `db.selectFrom(listed(db, json).as("asked")).select("asked.id")`. */
export function listed(db: Db, json: string): RawBuilder<{ id: string }> {
  return isPostgres(db)
    ? sql`(select value::uuid as id from json_array_elements_text(${json}::json))`
    : sql`(select value as id from json_each(${json}))`;
}

/**
 * `.where(isListed(db, "roles.server_id", json))`. PostgreSQL gets an array: it looks the ids up in the column's index,
 * where with a list of unknown length it might scan the table.
 */
export function isListed(
  db: Db,
  column: string,
  json: string | RawBuilder<unknown>,
  type: "uuid" | "text" = "uuid",
): RawBuilder<boolean> {
  return isPostgres(db)
    ? sql`${sql.ref(column)} = any(array(select json_array_elements_text(${json}::json)::${sql.raw(type)}))`
    : sql`${sql.ref(column)} in (select value from json_each(${json}))`;
}

/** `json`: a JSON array of objects with these fields: `listedRows<Range>(db, json, { stream: "text" }).as("asked")`. */
export function listedRows<Row extends object>(
  db: Db,
  json: string,
  fields: Record<keyof Row & string, "uuid" | "text" | "bigint">,
): RawBuilder<Row> {
  const columns = Object.entries<string>(fields);
  if (isPostgres(db)) {
    const types = sql.join(columns.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`));
    return sql`(select * from json_to_recordset(${json}::json) as given(${types}))`;
  }
  const values = columns.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(values)} from json_each(${json}))`;
}

function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
