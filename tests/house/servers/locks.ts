// Rows of PostgreSQL that a transaction has locked and another one waits for.
import { sql } from "kysely";
import type { Db } from "../../../server/database/database.ts";

/** Whether somebody waits for a lock in this database; `read` is outside of a transaction, which would see the first look only. */
export async function isLockWaitedFor(read: Db): Promise<boolean> {
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(read)).rows.length > 0;
}
