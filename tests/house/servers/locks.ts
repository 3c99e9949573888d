// Transactions of PostgreSQL that wait for a lock.
import { sql } from "kysely";
import type { Db } from "../../../server/database/database.ts";

/**
 * True if a statement waits for a lock in this database. `read` must be outside of a transaction, which would see the
 * first result only.
 */
export async function isLockWaitedFor(read: Db): Promise<boolean> {
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(read)).rows.length > 0;
}
