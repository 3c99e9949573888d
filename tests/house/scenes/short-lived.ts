// Expires short-lived values early: on PostgreSQL they expire by the database's clock, which a test cannot set.
import { sql } from "kysely";
import type { TestHouse } from "../open/engines.ts";

/** Brings their expiry forward by this many milliseconds. On SQLite it goes by the process's clock, which tests set. */
export async function endSooner({ running }: TestHouse, ms: number): Promise<void> {
  if (!running.house.isShared) return;
  await sql`update short_lived set until = until - ${ms} * interval '1 millisecond'`.execute(
    running.house.database.read,
  );
}
