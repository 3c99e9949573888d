// What the target of a move knows of it: from where it comes, how far it is, and the constraints that wait for its end.
import { sql } from "kysely";
import { CannotStart } from "../../server/cannot-start.ts";
import type { Db } from "../../server/database/database.ts";
import { forget, keep } from "../../server/database/instance.ts";
import { arrivalTable as arrival, arrivingKey, markOf } from "../../server/database/moved.ts";
import type { End } from "./end.ts";

/** Throws CannotStart where the target holds anything else than a half-done copy of this move. */
export async function expectTarget(target: End, move: string | undefined, firstTable: string): Promise<void> {
  if (await isHalfDone(target, move)) return;
  throw new CannotStart(
    `The target (${target.name}) is not empty: it has ${firstTable}, and is no half-done copy of this Hearth. Nothing is overwritten: name an empty one.`,
  );
}

/** `as`: its note "move" names the move that fills it; "end" what a source is called once that copy has all of it. */
export async function isHalfDone(
  target: End,
  move: string | undefined,
  as: "move" | "end" = "move",
): Promise<boolean> {
  const tables = await target.tables();
  if (!tables.some(({ name }) => (name as string) === arrival)) return false;
  if (move === undefined || (await noted(target.db, as)) !== move) return false;
  // Without the mark a server may have begun a log of its own there.
  const isMarked = (await markOf(target.db, arrivingKey)) !== undefined;
  return isMarked || (await markOf(target.db, "epoch")) === undefined;
}

/** Before the target has any tables of Hearth's. */
export async function beginArrival(target: End, move: string): Promise<void> {
  await target.transaction(async (db) => {
    await sql`create table if not exists ${sql.table(arrival)} (key text primary key, value text not null)`.execute(
      db,
    );
    await note(db, "move", move);
  });
}

/** After the tables are made: keeps servers away, and takes the foreign keys off, as rows come in any order. */
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

/** Puts the foreign keys back, which PostgreSQL checks; those of SQLite are checked. */
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

/** From here on servers start on the target. */
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
