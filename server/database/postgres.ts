// The PostgreSQL engine, for communities that keep their data in a database server of their own.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, sql } from "kysely";
import { CannotStart } from "../cannot-start.ts";
import { Queues } from "../queue.ts";
import { type Database, type Db, InDoubt, type Row, type TableName } from "./database.ts";
import { tryToKeep } from "./instance.ts";
import { migrateToLatest } from "./migrate.ts";
import { type Patience, usualPatience } from "./patience.ts";
import {
  codeOf,
  isCollision,
  isConnectionLoss,
  isHeld,
  isHelpless,
  isRefusal,
  writeTrouble,
} from "./postgres-errors.ts";
import { connectionsGranted, fewestConnections, shortage, sizesWithin } from "./postgres-limits.ts";
import {
  Connections,
  liftLimits,
  limitsOfChange,
  limitsOfSnapshot,
  openPool,
  openUnbounded,
} from "./postgres-pool.ts";
import { askOnce, needSuitable } from "./postgres-version.ts";
import { Replica } from "./replica.ts";
import { WriteGate } from "./write-gate.ts";

/** How often a start that finds no free connection retries. */
const grantTries = 20;
const grantPauseMs = 100;
/** Transactions of one account that run at a time: all of them may be waiting for a locked row. */
const mostOfAccount = 3;
/** The pause before a transaction that met a locked row is retried, in milliseconds. */
const heldPauseMs = 100;
/** An arbitrary key for the advisory lock around migrations, the same for every Hearth. */
export const migrationKey = 4_327_842;
/** How long connections may take to end before they are cut, in milliseconds. */
const closeMs = 500;
/** Larger than the free space in a table's last page, so that the disk must allocate. */
const trialBytes = 64 * 1024;

/** Throws CannotStart with a sentence when the server does not answer, or grants too few connections. */
export async function openPostgres(
  url: string,
  replicaUrl?: string,
  patience: Patience = usualPatience,
): Promise<Database> {
  const granted = await enoughGranted(url);
  const tooFew = shortage(granted);
  const connections = new Connections(patience.answerMs);
  const { db, shared, read, snapshots } = openPools(url, connections, granted, patience);
  const turns = new Queues({ atOnce: mostOfAccount });
  // This gate refuses nothing, because PostgreSQL does so itself, at once. It only reports whether writes are accepted.
  const gate = new WriteGate(() => tryToWrite(db));
  const replica = replicaUrl === undefined ? undefined : new Replica(replicaUrl, read);

  return {
    engine: "postgres",
    notes: tooFew === undefined ? [] : [tooFew],
    locksRows: true,
    read,
    replica,
    snapshot: (work) =>
      snapshots.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work),
    transaction(work, tries, whose) {
      const inTurn: Turn = (attempt) => (whose === undefined ? attempt() : turns.run(whose, attempt));
      const [pool, heldMs] = tries === "once" ? ([shared, 0] as const) : ([db, patience.heldMs] as const);
      return inTransaction(pool, work, heldMs, inTurn).catch((error) => {
        noteTrouble(gate, error);
        throw error;
      });
    },
    heldMs: patience.heldMs,
    insertRows,
    onTrouble: (hear) => gate.onChange(hear),
    migrate: (migrations) =>
      behindLock(openUnbounded(url, connections), (unbounded) => migrateToLatest(unbounded, migrations)),
    isAway: (error) => error instanceof InDoubt || isConnectionLoss(error) || isHelpless(error),
    isHeld,
    get trouble() {
      return gate.trouble?.sentence;
    },
    ping: pinging(read, () => lookAtWrites(db, gate)),
    async close() {
      gate.stop();
      replica?.close();
      const ended = Promise.all([db, shared, read, snapshots].map((each) => each.destroy()));
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, closeMs))]);
      connections.cutAll();
    },
  };
}

function openPools(url: string, connections: Connections, granted: number, patience: Patience) {
  const sizes = sizesWithin(granted);
  const changes = limitsOfChange(patience);
  return {
    // A transaction looks things up through the read pool. With a single pool, transactions that wait for a lock could
    // hold every connection that the lock's holder needs to finish.
    db: openPool(url, connections, sizes.transactions, changes),
    // Posts share commits, which must get a connection however many transactions wait for one row.
    shared: openPool(url, connections, sizes.shared, changes),
    read: openPool(url, connections, sizes.lookUps, changes),
    // Snapshots for READY hold a connection over many statements; posts must not wait for them.
    snapshots: openPool(url, connections, sizes.snapshots, limitsOfSnapshot(patience)),
  };
}

/** Retries: PostgreSQL may still be cleaning up after a killed process. */
async function enoughGranted(url: string): Promise<number> {
  for (let tried = 1; ; tried++) {
    try {
      const granted = await askOnce(url, async (client) => {
        await needSuitable(client);
        return connectionsGranted(client);
      });
      if (granted < fewestConnections) throw new CannotStart(shortage(granted) ?? "");
      return granted;
    } catch (error) {
      if (error instanceof CannotStart) throw error;
      if (codeOf(error) === "53300" && tried < grantTries) await sleep(grantPauseMs);
      else {
        const what = isRefusal(error) ? "refuses" : "does not answer";
        throw new CannotStart(
          `The database in DATABASE_URL ${what}: ${(error as Error).message || "connection refused"}.`,
        );
      }
    }
  }
}

/** Runs an attempt in its turn. */
type Turn = <T>(attempt: () => Promise<T>) => Promise<T>;

/** `heldMs`: how long it is retried while another transaction holds a row; each time in its turn. */
async function inTransaction<T>(
  db: Db,
  work: (db: Db) => Promise<T>,
  heldMs: number,
  inTurn: Turn,
): Promise<T> {
  const until = performance.now() + heldMs;
  for (let collisions = 0; ; ) {
    let isCommitting = false;
    try {
      return await inTurn(() =>
        db.transaction().execute(async (db) => {
          const result = await work(db);
          isCommitting = true;
          return result;
        }),
      );
    } catch (error) {
      if (isCollision(error) && ++collisions < 4) continue;
      if (isHeld(error) && performance.now() < until) {
        // Waits without a connection, which others need meanwhile.
        await sleep(heldPauseMs * (0.5 + Math.random()));
        continue;
      }
      if (isCommitting && isConnectionLoss(error))
        throw new InDoubt("the connection was lost during a commit", { cause: error });
      throw error;
    }
  }
}

/** When processes start at once, one migrates the tables, and the others wait for it. Closes the pool at the end. */
async function behindLock(pool: Db, work: (pool: Db) => Promise<void>): Promise<void> {
  try {
    await pool.transaction().execute(async (holder) => {
      await liftLimits(holder);
      await sql`select pg_advisory_xact_lock(${migrationKey})`.execute(holder);
      await work(pool);
    });
  } finally {
    await pool.destroy();
  }
}

async function tryToWrite(db: Db): Promise<void> {
  const text = randomBytes(trialBytes).toString("base64");
  await db.transaction().execute((db) => tryToKeep(db, text));
}

async function lookAtWrites(db: Db, gate: WriteGate): Promise<void> {
  try {
    await db.transaction().execute((db) => tryToKeep(db, ""));
  } catch (error) {
    noteTrouble(gate, error);
  }
}

function noteTrouble(gate: WriteGate, error: unknown): void {
  const trouble = writeTrouble(error);
  if (trouble) gate.shut(trouble, error);
}

/**
 * Only one ping runs at a time, however many callers wait. A ping that finds its connection read-only starts a check
 * whether writes are accepted, and does not wait for it: where nobody writes, nothing else would notice.
 */
function pinging(read: Db, look: () => Promise<void>): () => Promise<void> {
  let asked: Promise<void> | undefined;
  let isLooking = false;
  const ask = async () => {
    const { rows } = await sql<{ mode: string }>`
      select current_setting('transaction_read_only') as mode from instance limit 1`.execute(read);
    if (rows[0]?.mode !== "on" || isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  };
  return async () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    await asked;
  };
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
  // The first column identifies the rows.
  const identity = insert.columns[0] ?? "";
  const inserted = new Set(result.rows.map((row) => row[identity]));
  return rows.map((row) => inserted.has(row[identity]));
}

// One array per column keeps the statement's text the same for every number of rows.
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
