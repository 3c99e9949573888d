// The doctor's checks of the server that runs on the data folder, and of the database.
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { checkDataInUse } from "../features/administration/check-data.ts";
import { AlreadyRunning } from "../server/cannot-start.ts";
import type { Config } from "../server/config/config.ts";
import { version } from "../server/config/version.ts";
import type { Database } from "../server/database/database.ts";
import { migrationState } from "../server/database/migrate.ts";
import { openDatabase } from "../server/database/open.ts";
import { troubleInSqlite } from "../server/database/snapshot.ts";
import { features } from "../server/features.ts";
import { type Finding, finding, type Running, reason } from "../server/house/check.ts";
import { allMigrations } from "../server/open.ts";
import { askRunning, whoIsThere } from "../server/operator/socket.ts";

export async function checkRunning({ dataDir }: Config): Promise<[Finding, Running | undefined]> {
  const about = "server";
  try {
    const answer = await askRunning(dataDir, whoIsThere);
    if (!answer) return [finding(about, "off", `No Hearth runs on ${dataDir}.`), undefined];
    const [itsVersion = "", url = "", engine = "", pid, epoch, unread = "null"] = answer.lines;
    const unreadHop = (JSON.parse(unread) as string | null) ?? undefined;
    const running = { version: itsVersion, url, engine, pid: Number(pid) || undefined, epoch, unreadHop };
    if (itsVersion !== version) {
      const says = `Version ${itsVersion} runs at ${url}, but ${version} is installed: start it again.`;
      return [finding(about, "note", says), running];
    }
    return [finding(about, "ok", `Hearth ${itsVersion} runs at ${url}.`), running];
  } catch (error) {
    return [finding(about, "wrong", `${reason(error)}.`), undefined];
  }
}

export async function checkDatabase(config: Config, running: Running | undefined): Promise<Finding[]> {
  return running ? checkDataInUse(running) : [await checkUnusedDatabase(config)];
}

async function checkUnusedDatabase(config: Config): Promise<Finding> {
  const about = "database";
  if (!config.databaseUrl && !existsSync(join(config.dataDir, "hearth.db")))
    return finding(about, "note", "There is none yet; the first start makes it (SQLite).");
  try {
    const database = await openDatabase(config);
    try {
      return await describe(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    const says =
      error instanceof AlreadyRunning
        ? "A Hearth that has another data folder holds it. Check DATA_DIR."
        : `${reason(error)}.`;
    return finding(about, "wrong", says);
  }
}

/** Checks the whole embedded database; undefined when there is none. */
export async function checkIntegrity({ databaseUrl, dataDir }: Config): Promise<Finding | undefined> {
  const about = "integrity";
  const file = join(dataDir, "hearth.db");
  if (databaseUrl || !existsSync(file)) return undefined;
  const gigabytes = statSync(file).size / 1e9;
  if (gigabytes > 1) console.error(`Reading ${gigabytes.toFixed(1)} GB of database, which can take minutes.`);
  try {
    const [first, ...more] = await troubleInSqlite(file);
    if (first === undefined) return finding(about, "ok", "SQLite finds nothing wrong in the database.");
    const says = `The database is damaged: ${first.replace(/(?<![.\s])[.\s]+$/, "")}${more.length > 0 ? ", and more" : ""}.`;
    const mend = `Stop Hearth, keep a copy of ${dataDir}, and restore the newest backup that hearth restore --check calls whole.`;
    return finding(about, "wrong", `${says}\n${mend}`);
  } catch (error) {
    return finding(about, "wrong", `The database cannot be read through: ${reason(error)}.`);
  }
}

async function describe(database: Database): Promise<Finding> {
  const about = "database";
  const { left, unknown } = await migrationState(database.read, allMigrations(features, database.engine));
  if (unknown.length > 0) {
    const says =
      "It was written by a newer version of Hearth. Start that one, or restore a backup from before it.";
    return finding(about, "wrong", says);
  }
  const engine = await engineVersion(database);
  if (left.length === 0) return finding(about, "ok", `${engine}; its tables are those of this version.`);
  return finding(
    about,
    "note",
    `${engine}; the next start brings its tables up to date (${left.length} steps).`,
  );
}

async function engineVersion(database: Database): Promise<string> {
  const isSqlite = database.engine === "sqlite";
  const query = isSqlite
    ? sql<{ version: string }>`select sqlite_version() as version`
    : sql<{ version: string }>`select current_setting('server_version') as version`;
  const { rows } = await query.execute(database.read);
  return `${isSqlite ? "SQLite" : "PostgreSQL"} ${rows[0]?.version ?? ""}`;
}
