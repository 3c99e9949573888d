// The clock that processes on one PostgreSQL share: theirs may differ by minutes.
import { sql } from "kysely";

/** Milliseconds since 1970, at the moment in which the statement comes to it. */
export const nowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
