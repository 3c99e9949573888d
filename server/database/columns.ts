// Column types that the engines name differently, under common names.

import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

export interface ColumnTypes {
  uuid: RawBuilder<unknown>;
  /** Text that sorts and compares by its bytes in both engines. */
  text: RawBuilder<unknown>;
  /** For milliseconds since 1970, and counters. */
  integer: RawBuilder<unknown>;
}

export function columnTypes(engine: Database["engine"]): ColumnTypes {
  return engine === "postgres"
    ? { uuid: sql`uuid`, text: sql`text collate "C"`, integer: sql`bigint` }
    : { uuid: sql`text`, text: sql`text`, integer: sql`integer` };
}
