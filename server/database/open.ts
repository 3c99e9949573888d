// Opens the database engine that the settings choose; only its code is loaded.
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { Database } from "./database.ts";
import type { Patience } from "./patience.ts";

/** `patience` applies to PostgreSQL only. */
export async function openDatabase(config: Config, patience?: Patience): Promise<Database> {
  const database = await openEngine(config, patience);
  const { isAway, close } = database;
  let isClosed = false;
  return Object.assign(database, {
    // Work that is still running when the process ends fails in many ways, none of them a fault.
    isAway: (error: unknown) => isClosed || isAway(error),
    close() {
      isClosed = true;
      return close();
    },
  });
}

async function openEngine(
  { databaseUrl, databaseReplicaUrl, dataDir }: Config,
  patience: Patience | undefined,
): Promise<Database> {
  if (databaseUrl)
    return (await import("./postgres.ts")).openPostgres(databaseUrl, databaseReplicaUrl, patience);
  return (await import("./sqlite.ts")).openSqlite(join(dataDir, "hearth.db"));
}
