// The migrations of the numbered log's tables.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../database/columns.ts";
import type { Database } from "../database/database.ts";
import { expanding, type Report } from "../database/migrate.ts";
import { replaceTable } from "../database/replace-table.ts";

type MigrationDb = Parameters<Migration["up"]>[0];

export function logMigrations(engine: Database["engine"], report?: Report): Record<string, Migration> {
  return {
    "0000_outbox": { up: (db) => createLog(db, engine) },
    "0033_streams": {
      up: (db) => (engine === "sqlite" ? nameStreamsOnSqlite(db, report) : nameStreamsOnPostgres(db, report)),
    },
    "0040_replaced_events": {
      up: (db) => replaceEvents(db, engine),
    },
    "0080_log_walks": expanding({ up: (db) => createWalks(db, engine) }),
    // SQLite is used by a single process.
    ...(engine === "postgres" && {
      "0055_notices": { up: createNotices },
      "0056_leases": { up: createLeases },
      "0057_short_lived": { up: createShortLived },
      "0060_connections": expanding({ up: createConnections }),
      "0062_notices_clock": expanding({ up: timeNotices }),
      "0063_process_settings": expanding({ up: addSettings }),
      "0072_process_signs_lines": expanding({ up: addSignsLines }),
      "0084_process_clocks": expanding({ up: addClocks }),
      "0094_idle_sockets": expanding({ up: addIdle }),
    }),
  };
}

async function createLog(db: MigrationDb, engine: Database["engine"]): Promise<void> {
  const type = columnTypes(engine);
  await db.schema
    .createTable("instance")
    .addColumn("key", type.text, (c) => c.primaryKey())
    .addColumn("value", type.text, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("streams")
    .addColumn("server_id", type.uuid, (c) => c.primaryKey().notNull())
    .addColumn("seq", type.integer, (c) => c.notNull())
    .addColumn("version", type.integer, (c) => c.notNull())
    .execute();
  await createEvents(db, engine, "events", "server_id");
  await indexEnds(db);
}

/** Makes the table of events, whose stream was first named by the column `server_id`. */
async function createEvents(
  db: MigrationDb,
  engine: Database["engine"],
  table: string,
  stream: "server_id" | "stream",
): Promise<void> {
  const type = columnTypes(engine);
  await db.schema
    .createTable(table)
    .addColumn(stream, stream === "stream" ? type.text : type.uuid, (c) => c.notNull())
    .addColumn("seq", type.integer, (c) => c.notNull())
    .addColumn("audience", type.text, (c) => c.notNull())
    .addColumn("touches", type.text, (c) => c.notNull())
    .addColumn("ends", type.text)
    .addColumn("frame", type.text, (c) => c.notNull())
    .addColumn("created_at", type.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("events_pk", [stream, "seq"])
    .$call((made) => (engine === "sqlite" ? made.modifyEnd(sql`without rowid`) : made))
    .execute();
}

/** Each notice has the id of its transaction, by which readers tell what may still come before it. */
async function createNotices(db: MigrationDb): Promise<void> {
  await sql`create table notices (
    id bigint generated always as identity primary key,
    item text not null,
    created_at bigint not null,
    xid xid8 not null default pg_current_xact_id())`.execute(db);
  await sql`create index notices_xid on notices (xid)`.execute(db);
}

/** Dates notices by the clock that all processes share. */
async function timeNotices(db: MigrationDb): Promise<void> {
  await sql`alter table notices alter created_at
    set default (extract(epoch from clock_timestamp()) * 1000)::bigint`.execute(db);
}

async function createLeases(db: MigrationDb): Promise<void> {
  const type = columnTypes("postgres");
  await db.schema
    .createTable("leases")
    .addColumn("name", type.text, (c) => c.primaryKey())
    .addColumn("holder", type.text, (c) => c.notNull())
    .addColumn("until", type.integer, (c) => c.notNull())
    .execute();
}

async function createShortLived(db: MigrationDb): Promise<void> {
  await sql`create table short_lived (
    kind text collate "C" not null,
    key text collate "C" not null,
    value text not null,
    until timestamptz not null,
    primary key (kind, key))`.execute(db);
  await sql`create index short_lived_until on short_lived (until)`.execute(db);
}

/** Unlogged tables: processes rewrite rows that a crash of the database lost. */
async function createConnections(db: MigrationDb): Promise<void> {
  await sql`create unlogged table processes (
    id text collate "C" primary key,
    alive_at bigint not null)`.execute(db);
  await sql`create unlogged table connections (
    user_id uuid not null,
    process text collate "C" not null,
    opened text not null,
    left_at bigint,
    said_at bigint,
    primary key (user_id, process))`.execute(db);
}

async function addSettings(db: MigrationDb): Promise<void> {
  const { text } = columnTypes("postgres");
  await db.schema
    .alterTable("processes")
    .addColumn("settings", text, (c) => c.notNull().defaultTo(""))
    .execute();
}

/** The default 0: a process of a release that does not set the column does not sign. */
async function addSignsLines(db: MigrationDb): Promise<void> {
  const { integer } = columnTypes("postgres");
  await db.schema
    .alterTable("processes")
    .addColumn("signs_lines", integer, (c) => c.notNull().defaultTo(0))
    .execute();
}

/** The default 0: a process of a release that does not set the column reports no clock. */
async function addClocks(db: MigrationDb): Promise<void> {
  const { integer } = columnTypes("postgres");
  await db.schema
    .alterTable("processes")
    .addColumn("clock_ahead_ms", integer, (c) => c.notNull().defaultTo(0))
    .execute();
}

async function indexEnds(db: MigrationDb): Promise<void> {
  await db.schema
    .createIndex("events_ends")
    .on("events")
    .column("created_at")
    .where(sql.ref("ends"), "=", "*")
    .execute();
}

/** Prefixes each stream's key with its kind (`server:ID`), so that a person can have a stream as well. */
async function nameStreamsOnSqlite(db: MigrationDb, report?: Report): Promise<void> {
  const type = columnTypes("sqlite");
  await db.schema.alterTable("streams").renameColumn("server_id", "stream").execute();
  await sql`update streams set stream = 'server:' || stream`.execute(db);
  await addLastId(db, type.text);
  const create = (name: string) => createEvents(db, "sqlite", name, "stream");
  const same = ["seq", "audience", "touches", "ends", "frame", "created_at"];
  const columns = {
    stream: "'server:' || server_id",
    ...Object.fromEntries(same.map((name) => [name, name])),
  };
  await replaceTable(db, { table: "events", create, key: ["server_id", "seq"], columns }, report);
  await indexEnds(db);
}

async function nameStreamsOnPostgres(db: MigrationDb, report: Report = () => {}): Promise<void> {
  const type = columnTypes("postgres");
  const { rows } = await sql`select from events limit 1`.execute(db);
  if (rows.length > 0) report("the tables of the log are brought up to date");
  for (const table of ["streams", "events"]) {
    await sql`alter table ${sql.table(table)} alter column server_id type ${type.text}
      using ('server:' || server_id)`.execute(db);
    await db.schema.alterTable(table).renameColumn("server_id", "stream").execute();
  }
  await addLastId(db, type.text);
}

/** Adds the column empty: ids made from now on are above all stored ones, so nothing has to be looked up. */
async function addLastId(db: MigrationDb, text: ReturnType<typeof columnTypes>["text"]): Promise<void> {
  await db.schema
    .alterTable("streams")
    .addColumn("last_id", text, (c) => c.notNull().defaultTo(""))
    .execute();
}

/**
 * Lets the log keep only the newest of events that replace each other. Its numbers then have gaps, so each stream also
 * records up to which number it was cut: initially, where its rows begin.
 */
async function replaceEvents(db: MigrationDb, engine: Database["engine"]): Promise<void> {
  const type = columnTypes(engine);
  await db.schema.alterTable("events").addColumn("replaces", type.text).execute();
  await db.schema
    .createIndex("events_replaces")
    .on("events")
    .columns(["stream", "replaces"])
    .where(sql.ref("replaces"), "is not", null)
    .execute();
  await db.schema
    .alterTable("streams")
    .addColumn("cut_to", type.integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update streams set cut_to = coalesce(
    (select min(events.seq) - 1 from events where events.stream = streams.stream), seq)`.execute(db);
}

/** The default 0: a process of a release that does not set the column knows no idle sockets. */
async function addIdle(db: MigrationDb): Promise<void> {
  const { integer } = columnTypes("postgres");
  await db.schema
    .alterTable("connections")
    .addColumn("idle", integer, (c) => c.notNull().defaultTo(0))
    .execute();
}

async function createWalks(db: MigrationDb, engine: Database["engine"]): Promise<void> {
  const type = columnTypes(engine);
  await db.schema
    .createTable("log_walks")
    .addColumn("stream", type.text, (c) =>
      c.primaryKey().notNull().references("streams.stream").onDelete("cascade"),
    )
    .addColumn("walked_to", type.integer, (c) => c.notNull())
    .execute();
}
