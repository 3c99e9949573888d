// Keeps writers away from all tables of a move's source while something is done there in one go.
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { CannotStart } from "../../server/cannot-start.ts";
import type { Db } from "../../server/database/database.ts";
import { isCollision, isHeld } from "../../server/database/postgres-errors.ts";
import type { End, Table } from "./end.ts";

/**
 * Shorter than PostgreSQL's `deadlock_timeout`: where a writer and this wait for each other, this gives way, and the
 * writer goes on.
 */
const lockMs = 500;
const pauseMs = 250;

/** Tables in the order in which a post locks them: these before all others, those of the log after. */
const first = ["message_nonces", "messages"];
const last = ["events", "streams"];

/** The locks that keep others away: those who write, or those who read as well. */
const modes = { writers: "share row exclusive", everybody: "access exclusive" } as const;

interface Hold {
  away: keyof typeof modes;
  tries?: number;
}

/**
 * Does the work in a transaction that has locked all tables before anything else. Throws CannotStart when others do not
 * let go of them, again and again; then nothing has changed. SQLite's transaction is the only writer anyway.
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
    // Writers that waited for these locks have their turn.
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

/** In about the order of writers, so that one that has begun finds what it needs next unlocked. */
function inOrder(tables: readonly Table[]): Table[] {
  const rank = ({ name }: Table) => (first.includes(name) ? -1 : last.includes(name) ? 1 : 0);
  return tables.toSorted((one, other) => rank(one) - rank(other));
}
