// Values that live for minutes, as they are later: on PostgreSQL their end is left to the database, by its clock.
import { sql } from "kysely";
import type { TestHouse } from "../open/engines.ts";

/** From now on they end so many milliseconds sooner. With SQLite they go by the process's own clock, which a test sets. */
export async function endSooner({ running }: TestHouse, ms: number): Promise<void> {
  if (!running.house.isShared) return;
  await sql`update short_lived set until = until - ${ms} * interval '1 millisecond'`.execute(
    running.house.database.read,
  );
}
