// Values that live for minutes, as they are later: several processes leave their end to the database, by its clock.
import { sql } from "kysely";
import type { TestHouse } from "./engines.ts";

/** From now on they end so many milliseconds sooner. One process goes by its own clock, which a test sets. */
export async function endSooner({ all, running }: TestHouse, ms: number): Promise<void> {
  if (all.length === 1) return;
  await sql`update short_lived set until = until - ${ms} * interval '1 millisecond'`.execute(
    running.house.database.read,
  );
}
