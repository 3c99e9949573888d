// Chooses the engine by the settings.
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Database } from "./database.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

export async function openDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl) return openPostgres(config.databaseUrl);
  return openSqlite(join(config.dataDir, "hearth.db"));
}
