// Chooses the engine by the settings; only its code is loaded.
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Database } from "./database.ts";

export async function openDatabase(config: Config): Promise<Database> {
  const { databaseUrl, databaseReplicaUrl } = config;
  if (databaseUrl) return (await import("./postgres.ts")).openPostgres(databaseUrl, databaseReplicaUrl);
  return (await import("./sqlite.ts")).openSqlite(join(config.dataDir, "hearth.db"));
}
