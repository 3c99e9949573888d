// The state of a move in its target: its origin, its progress, and the constraints to restore at its end.
import { sql } from "kysely";
import { CannotStart } from "../../server/cannot-start.ts";
import type { Db } from "../../server/database/database.ts";
import { forget, keep } from "../../server/database/instance.ts";
import { arrivalTable as arrival, arrivingKey, markOf } from "../../server/database/moved.ts";
import type { End } from "./end.ts";

/** Throws CannotStart if the target holds anything but a half-done copy of this move. */
export async function expectTarget(target: End, move: string | undefined, firstTable: string): Promise<void> {
  if (await isHalfDone(target, move)) return;
  throw new CannotStart(
    `The target (${target.name}) is not empty: it has ${firstTable}, and is no half-done copy of this Hearth. Nothing is overwritten: name an empty one.`,
  );
}

/**
 * True if the target is a half-done copy. `as`: its note "move" is the name of the move that fills it; "end" the new
 * name of the source once that copy is complete.
 */
export async function isHalfDone(
  target: End,
  move: string | undefined,
  as: "move" | "end" = "move",
): Promise<boolean> {
  const tables = await target.tables();
  if (!tables.some(({ name }) => (name as string) === arrival)) return false;
  if (move === undefined || (await noted(target.db, as)) !== move) return false;
  // Without the mark a server may have started a log of its own there.
  const isMarked = (await markOf(target.db, arrivingKey)) !== undefined;
  return isMarked || (await markOf(target.db, "epoch")) === undefined;
}

/** Records the move, before the target has any tables of Hearth's. */
export async function beginArrival(target: End, move: string): Promise<void> {
  await target.transaction(async (db) => {
    await sql`create table if not exists ${sql.table(arrival)} (key text primary key, value text not null)`.execute(
      db,
    );
    await note(db, "move", move);
  });
}

/** Keeps servers away and drops the foreign keys, as rows arrive in any order; runs after the tables are created. */
export async function prepareArrival(target: End, from: string): Promise<void> {
  await target.transaction(async (db) => {
    await keep(db, arrivingKey, from);
    if (target.engine === "sqlite") return;
    const { rows } = await sql<{ table: string; name: string; definition: string }>`
      select relname as "table", conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and connamespace = current_schema()::regnamespace order by relname, conname`.execute(
      db,
    );
    if (rows.length === 0) return;
    await note(db, "constraints", JSON.stringify(rows));
    for (const { table, name } of rows)
      await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
  });
}

/** Restores the foreign keys, which PostgreSQL then checks; on SQLite checks them. */
export async function checkReferences(target: End): Promise<void> {
  if (target.engine === "sqlite") {
    const { rows } = await sql<{ table: string }>`
      select "table" from pragma_foreign_key_check limit 1`.execute(target.db);
    if (rows[0]) throw new CannotStart(`In the copy a row of ${rows[0].table} names one that is not there.`);
    return;
  }
  const constraints = JSON.parse((await noted(target.db, "constraints")) ?? "[]") as {
    table: string;
    name: string;
    definition: string;
  }[];
  await target.transaction(async (db) => {
    for (const { table, name, definition } of constraints)
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
        db,
      );
  });
}

/** Ends the move in the target: from here on servers start on it. */
export async function endArrival(target: End): Promise<void> {
  await target.transaction(async (db) => {
    await forget(db, arrivingKey);
    await sql`drop table ${sql.table(arrival)}`.execute(db);
  });
}

export async function note(db: Db, key: string, value: string): Promise<void> {
  await sql`insert into ${sql.table(arrival)} (key, value) values (${key}, ${value})
    on conflict (key) do update set value = excluded.value`.execute(db);
}

export async function noted(db: Db, key: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select value from ${sql.table(arrival)} where key = ${key}`.execute(db);
  return rows[0]?.value;
}
