// Locks out writers from all tables of a move's source for the time of some work.
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { CannotStart } from "../../server/cannot-start.ts";
import type { Db } from "../../server/database/database.ts";
import { isCollision, isHeld } from "../../server/database/postgres-errors.ts";
import type { End, Table } from "./end.ts";

/**
 * Lock timeout in milliseconds, shorter than PostgreSQL's `deadlock_timeout`: in a deadlock with a writer, this gives
 * up and the writer goes on.
 */
const lockMs = 500;
const pauseMs = 250;

/** Tables in the order in which a post locks them: `first` before all others, `last`, those of the log, after. */
const first = ["message_nonces", "messages"];
const last = ["events", "streams"];

/** The lock modes that keep others away: writers, or readers as well. */
const modes = { writers: "share row exclusive", everybody: "access exclusive" } as const;

interface Hold {
  away: keyof typeof modes;
  tries?: number;
}

/**
 * Runs the work in a transaction that has locked all tables first. Throws CannotStart when the locks cannot be had
 * after several tries; then nothing has changed. SQLite's transaction is the only writer anyway.
 */
export async function whileHeld<T>(
  source: End,
  tables: readonly Table[],
  { away, tries = 30 }: Hold,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  if (source.engine === "sqlite") return source.transaction(work);
  for (let left = tries; left > 0; left--) {
    try {
      return await source.transaction(async (db) => {
        await lockAll(db, tables, away);
        return work(db);
      });
    } catch (error) {
      if (!isHeld(error) && !isCollision(error)) throw error;
    }
    // Lets writers that waited for these locks proceed.
    await sleep(pauseMs * (0.5 + Math.random()));
  }
  throw new CannotStart(
    `The tables of ${source.name} could not be locked: a transaction there does not come to its end, which pg_stat_activity shows, or too much is written. Nothing was changed: run the same command again.`,
  );
}

async function lockAll(db: Db, tables: readonly Table[], away: Hold["away"]): Promise<void> {
  if (tables.length === 0) return;
  const names = sql.join(inOrder(tables).map(({ name }) => sql.table(name)));
  await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`.execute(db);
  await sql`lock table ${names} in ${sql.raw(modes[away])} mode`.execute(db);
  await sql`select set_config('lock_timeout', '0', true)`.execute(db);
}

/** Sorts tables in about the lock order of writers, so that one that has begun finds its next tables unlocked. */
function inOrder(tables: readonly Table[]): Table[] {
  const rank = ({ name }: Table) => (first.includes(name) ? -1 : last.includes(name) ? 1 : 0);
  return tables.toSorted((one, other) => rank(one) - rank(other));
}
