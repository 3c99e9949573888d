// The clock that processes on one PostgreSQL share: their own may differ by minutes.
import { sql } from "kysely";
import type { Db } from "./database.ts";

/** Milliseconds since 1970, at the moment when the statement evaluates it. */
export const nowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Reads the database's clock, in milliseconds since 1970. */
export async function timeOf(db: Db): Promise<number> {
  const { rows } = await sql<{ at: number }>`select ${nowMs} as at`.execute(db);
  return Number(rows[0]?.at);
}
