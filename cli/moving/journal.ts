// The journal of a move: triggers in the source record the key of every changed row, whichever process changes it.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { CannotStart } from "../../server/cannot-start.ts";
import type { Db } from "../../server/database/database.ts";
import { forget, forgetEpoch, keep } from "../../server/database/instance.ts";
import { markOf, movedKey, movedSentence } from "../../server/database/moved.ts";
import type { End, Key, Table } from "./end.ts";
import { whileHeld } from "./hold.ts";

const journal = "moving_changes";
const acts = ["insert", "update", "delete"] as const;
type Act = (typeof acts)[number];

/** Prefix of all triggers of a move, for the journal and for refusing writes. */
const prefix = "moving_";

export interface Changes {
  /** Keys of rows that were inserted, changed or deleted, by table. */
  keys: Map<string, Key[]>;
  count: number;
  /** The position after these changes. */
  cursor: string;
}

/** Creates the journal if there is none. Returns the name of the move, by which a half-done copy knows its source. */
export async function beginJournal(source: End, tables: readonly Table[]): Promise<string> {
  const known = await moveOf(source);
  if (known !== undefined) {
    await expectJournal(source, source.db, tables);
    return known;
  }
  const move = randomUUID();
  // Each trigger locks its table. Created one by one, they could deadlock with writers, who lock in another order.
  await whileHeld(source, tables, { away: "writers" }, async (db) => {
    const made =
      source.engine === "sqlite"
        ? `create table ${journal} (seq integer primary key, name text not null, key text not null)`
        : `create table ${journal} (seq bigint generated always as identity primary key, name text not null,
            key text not null, xid xid8 not null default pg_current_xact_id())`;
    await run(db, made);
    await sql`insert into ${sql.table(journal)} (name, key) values ('move', ${move})`.execute(db);
    if (source.engine === "postgres") {
      await run(db, `create index ${journal}_xid on ${journal} (xid)`);
      await run(db, noteOnPostgres);
    }
    for (const table of tables) for (const act of acts) await run(db, noting(source, table, act));
  });
  return move;
}

export async function moveOf(source: End): Promise<string | undefined> {
  if (!(await source.tables()).some((table) => table.name === (journal as Table["name"]))) return undefined;
  const { rows } = await sql<{ key: string }>`
    select key from ${sql.table(journal)} where name = 'move'`.execute(source.db);
  return rows[0]?.key;
}

/** Renames the move, so that only the one complete copy knows the source. */
export async function renameMove(db: Db, name: string): Promise<void> {
  await sql`update ${sql.table(journal)} set key = ${name} where name = 'move'`.execute(db);
}

/**
 * Throws CannotStart if triggers are missing: a table recreated by an update of Hearth has lost them, and with them
 * changes.
 */
export async function expectJournal(source: End, db: Db, tables: readonly Table[]): Promise<void> {
  const { rows } = await (source.engine === "sqlite"
    ? sql<{ name: string }>`select name from sqlite_schema where type = 'trigger'`
    : sql<{ name: string }>`select distinct tgname as name from pg_trigger where not tgisinternal`
  ).execute(db);
  const names = new Set(rows.map(({ name }) => name));
  if (tables.every((table) => acts.every((act) => names.has(`${prefix}${table.name}_${act}`)))) return;
  throw new CannotStart(
    "The tables were changed after the move began. Run hearth migrate --stay, and begin again with an empty target.",
  );
}

/** Returns the changes since the cursor, as `db` sees them. Some may have been returned before. */
export async function changesSince(source: End, db: Db, cursor: string): Promise<Changes> {
  const isSqlite = source.engine === "sqlite";
  const { rows: ends } = await (isSqlite
    ? sql<{ cursor: string }>`select coalesce(max(seq), 0) as cursor from ${sql.table(journal)}`
    : sql<{ cursor: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as cursor`
  ).execute(db);
  // A row's number does not tell when its transaction commits, so on PostgreSQL changes are selected by transaction id.
  const after = isSqlite ? sql`seq > ${Number(cursor)}` : sql`xid >= ${cursor}::xid8`;
  const { rows } = await sql<{ name: string; key: string }>`
    select distinct name, key from ${sql.table(journal)} where ${after} and name <> 'move'`.execute(db);
  const keys = new Map<string, Key[]>();
  for (const { name, key } of rows) {
    const list = keys.get(name) ?? [];
    if (list.length === 0) keys.set(name, list);
    list.push(JSON.parse(key));
  }
  return { keys, count: rows.length, cursor: String(ends[0]?.cursor) };
}

export const firstCursor = "0";

/** From the end of the transaction on, the source refuses writes, and no server starts on it. */
export async function refuseWrites(source: End, db: Db, tables: readonly Table[], to: string): Promise<void> {
  await keep(db, movedKey, to);
  if (source.engine === "postgres") await run(db, refuseOnPostgres);
  for (const { name } of tables)
    for (const act of acts) {
      const trigger = `create trigger ${prefix}refuse_${name}_${act} before ${act} on "${name}"`;
      await run(
        db,
        source.engine === "sqlite"
          ? `${trigger} begin select raise(abort, '${movedSentence}'); end`
          : `${trigger} for each row execute function moving_refuse()`,
      );
    }
}

/** Removes all traces of a move from its source, which is usable again. Returns whether there were any. */
export async function removeJournal(source: End): Promise<boolean> {
  const has = (await moveOf(source)) !== undefined;
  await whileHeld(source, await source.tables(), { away: "everybody" }, async (db) => {
    if (source.engine === "sqlite") {
      const { rows } = await sql<{ name: string }>`select name from sqlite_schema
        where type = 'trigger' and name like 'moving\\_%' escape '\\'`.execute(db);
      for (const { name } of rows) await run(db, `drop trigger "${name}"`);
    } else
      await run(
        db,
        "drop function if exists moving_note cascade; drop function if exists moving_refuse cascade",
      );
    await run(db, `drop table if exists ${journal}`);
    // The log may continue in the copy under this epoch: here it gets a new one.
    if ((await markOf(db, movedKey)) !== undefined) await run(db, forgetEpoch);
    await forget(db, movedKey);
  });
  return has;
}

function noting(source: End, { name, key }: Table, act: Act): string {
  const trigger = `create trigger ${prefix}${name}_${act} after ${act} on "${name}"`;
  if (source.engine === "postgres") {
    const columns = key.map((column) => `'${column}'`).join(", ");
    return `${trigger} for each row execute function moving_note(${columns})`;
  }
  const note = (row: "old" | "new") =>
    `insert into ${journal} (name, key) values ('${name}', json_array(${key.map((column) => `${row}."${column}"`).join(", ")}));`;
  return `${trigger} begin ${act === "insert" ? "" : note("old")} ${act === "delete" ? "" : note("new")} end`;
}

const keyOnPostgres = (row: "old" | "new") =>
  `(select jsonb_agg(to_jsonb(${row}) -> name order by place)::text
    from unnest(tg_argv) with ordinality as keys (name, place))`;

const noteOnPostgres = `create function moving_note() returns trigger language plpgsql as $$ begin
  if tg_op <> 'INSERT' then insert into ${journal} (name, key) values (tg_table_name, ${keyOnPostgres("old")}); end if;
  if tg_op <> 'DELETE' then insert into ${journal} (name, key) values (tg_table_name, ${keyOnPostgres("new")}); end if;
  return null;
end $$`;

/** Uses the error code of a read-only database. */
const refuseOnPostgres = `create function moving_refuse() returns trigger language plpgsql as $$ begin
  raise exception '${movedSentence}' using errcode = '25006';
end $$`;

async function run(db: Db, statement: string): Promise<void> {
  await sql.raw(statement).execute(db);
}
