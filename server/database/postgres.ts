// The PostgreSQL engine, for a community that wants its truth in a server of its own.
import { CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import {
  AlreadyRunning,
  CannotStart,
  type Database,
  type Db,
  InDoubt,
  type Row,
  type TableName,
} from "./database.ts";
import { migrateToLatest } from "./migrate.ts";
import type { Tables } from "./tables.ts";

/** Connections of each of the two pools that requests use. */
const mostConnections = 10;
/** Of the pool for snapshots: of those that take long there is one at a time (gateway/turns.ts). */
const mostSnapshots = 4;

/** Throws CannotStart with a sentence when nobody answers there. */
export async function openPostgres(url: string): Promise<Database> {
  // What holds a connection for several statements looks things up by the other pool on its way. With one pool a crowd
  // of transactions that wait for a lock would hold every connection that its holder needs to come to an end.
  const [db, read] = [connect(url, mostConnections), connect(url, mostConnections)];
  // States of sign-ins hold theirs over many statements; posts must not wait for them.
  const snapshots = connect(url, mostSnapshots);
  const away = async () => void (await Promise.all([db, read, snapshots].map((each) => each.destroy())));
  await sql`select 1`.execute(read).catch(async (error: Error) => {
    await away();
    throw new CannotStart(
      `The database in DATABASE_URL does not answer: ${error.message || "connection refused"}.`,
    );
  });
  const claim = await claimDatabase(url).catch(async (error) => {
    await away();
    throw error;
  });

  async function transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let isCommitting = false;
      try {
        return await db.transaction().execute(async (db) => {
          const result = await work(db);
          isCommitting = true;
          return result;
        });
      } catch (error) {
        if (attempt < 4 && isCollision(error)) continue;
        if (isCommitting && isConnectionLoss(error))
          throw new InDoubt("the connection was lost during a commit", { cause: error });
        throw error;
      }
    }
  }

  return {
    engine: "postgres",
    locksRows: true,
    read,
    snapshot: (work) =>
      snapshots.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work),
    transaction,
    insertRows,
    migrate: (migrations) => migrateToLatest(db, migrations),
    isAway: (error) => error instanceof InDoubt || isConnectionLoss(error),
    async ping() {
      await sql`select 1`.execute(read);
    },
    async close() {
      await away();
      await claim.release();
    },
  };
}

function connect(url: string, most: number): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: most,
    connectionTimeoutMillis: 5000,
    types: { getTypeParser: typeParser },
  });
  // An idle connection that breaks is replaced by the pool; the next request hears of it if the database stays away.
  pool.on("error", () => {});
  // One that breaks while it is in use says so to its next statement; unheard, its event would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Any number, the same for every Hearth. */
const claimKey = 4_327_841;
/** The connection of a process that was killed is noticed within this time. */
const claimTries = 20;
const claimPauseMs = 100;

/**
 * One process a database, for now: it trusts what it remembers. The claim is held by a connection of its own, so it
 * goes with the process, however it ends; when the database restarts, it is taken again.
 */
async function claimDatabase(url: string): Promise<{ release(): Promise<void> }> {
  let released = false;
  let client: pg.Client;

  async function take(): Promise<boolean> {
    client = new pg.Client({ connectionString: url });
    // Once: a connection that is cut off says so twice, and if each time brought two, they would soon be all there are.
    client.once("error", takeAgain).on("error", () => {});
    await client.connect();
    for (let tries = 0; tries < claimTries; tries++) {
      const { rows } = await client.query("select pg_try_advisory_lock($1) as mine", [claimKey]);
      if (rows[0]?.mine) return true;
      await new Promise((resolve) => setTimeout(resolve, claimPauseMs));
    }
    return false;
  }

  function takeAgain(): void {
    if (!released) setTimeout(() => released || take().catch(() => client.emit("error")), 1000);
  }

  async function release(): Promise<void> {
    released = true;
    await client.end().catch(() => {});
  }

  if (!(await take())) {
    await release();
    throw new AlreadyRunning("Another Hearth is running on the database in DATABASE_URL. Stop it first.");
  }
  return { release };
}

interface Insert {
  columns: readonly string[];
  sql: string;
}

const inserts = new Map<string, Insert>();

async function insertRows(
  db: Db,
  table: TableName,
  rows: readonly Row[],
  skipTaken: boolean,
): Promise<boolean[]> {
  const [first] = rows;
  if (!first) return [];
  const key = `${table} ${skipTaken}`;
  const insert = inserts.get(key) ?? (await insertInto(db, table, Object.keys(first), skipTaken));
  inserts.set(key, insert);
  const arrays = insert.columns.map((column) => rows.map((row) => row[column] ?? null));
  const result = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(insert.sql, arrays));
  if (!skipTaken) return rows.map(() => true);
  // The first column tells the rows apart.
  const identity = insert.columns[0] ?? "";
  const inserted = new Set(result.rows.map((row) => row[identity]));
  return rows.map((row) => inserted.has(row[identity]));
}

// One array a column keeps the statement's text the same however many rows there are.
async function insertInto(
  db: Db,
  table: TableName,
  columns: readonly string[],
  skipTaken: boolean,
): Promise<Insert> {
  const types = await columnTypes(db, table);
  const names = columns.map((column) => `"${column}"`).join(", ");
  const arrays = columns.map((column, i) => `$${i + 1}::${types.get(column) ?? "text"}[]`).join(", ");
  const conflict = skipTaken ? `on conflict do nothing returning "${columns[0]}"` : "";
  return { columns, sql: `insert into "${table}" (${names}) select * from unnest(${arrays}) ${conflict}` };
}

async function columnTypes(db: Db, table: TableName): Promise<Map<string, string>> {
  const { rows } = await sql<{ column: string; type: string }>`
    select attname as column, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0`.execute(db);
  return new Map(rows.map((row) => [row.column, row.type]));
}

// Numbers of eight bytes hold milliseconds and counters here, all far below 2^53.
function typeParser(oid: number, format?: "text" | "binary") {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format as "text");
}

function code(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function isCollision(error: unknown): boolean {
  return code(error) === "40001" || code(error) === "40P01";
}

function isConnectionLoss(error: unknown): boolean {
  if (/^(08|57P0|53300)/.test(code(error)) || /^E(CONN|PIPE|NOTFOUND|TIMEDOUT|HOSTUNREACH)/.test(code(error)))
    return true;
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/.test(
      error.message,
    )
  );
}
