// The doctor's checks of the data folder, the Hearth that runs on it, and the database.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { picturesFolder, picturesIn } from "../features/pictures/folder.ts";
import { AlreadyRunning } from "../server/cannot-start.ts";
import type { Config } from "../server/config/config.ts";
import { version } from "../server/config/version.ts";
import type { Database } from "../server/database/database.ts";
import { migrationState } from "../server/database/migrate.ts";
import { openDatabase } from "../server/database/open.ts";
import { troubleInSqlite } from "../server/database/snapshot.ts";
import { features } from "../server/features.ts";
import { allMigrations } from "../server/open.ts";
import { askRunning, whoIsThere } from "../server/operator/socket.ts";
import { type Finding, finding, reason } from "./finding.ts";

const mebibyte = 1024 * 1024;
/** Longer than the server takes to report a disk that does not answer. */
const readyMs = 12_000;

/** The server that runs on the data folder. */
export interface Running {
  version: string;
  url: string;
  engine: string;
}

export function checkFolder({ dataDir }: Config): Finding {
  const about = "data folder";
  if (!existsSync(dataDir))
    return finding(about, "note", `${dataDir} does not exist yet; the first start makes it.`);
  try {
    const facts = statSync(dataDir);
    if (!facts.isDirectory()) return finding(about, "wrong", `${dataDir} (DATA_DIR) is no folder.`);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (facts.mode & 0o077)
      return finding(about, "note", `${dataDir} can be read by others; the next start closes it.`);
    return finding(about, "ok", `${dataDir} is ours alone, and can be written to.`);
  } catch (error) {
    return finding(about, "wrong", `${dataDir} (DATA_DIR) cannot be used: ${reason(error)}.`);
  }
}

/** Whether pictures of other hosts can be kept. They are in no backup, and may be deleted at any time. */
export async function checkPictures(config: Config): Promise<Finding> {
  const about = "pictures";
  if (config.picturesBytes === 0)
    return finding(about, "off", "None of other hosts are kept (PICTURES_MIB): each is fetched anew.");
  const folder = picturesFolder(config);
  if (!existsSync(folder)) return finding(about, "ok", "None of other hosts are kept yet.");
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const sizes = (await Array.fromAsync(picturesIn(folder))).map(([, { size }]) => size);
    const held = (sizes.reduce((sum, size) => sum + size, 0) / mebibyte).toFixed(1);
    const most = config.picturesBytes / mebibyte;
    return finding(about, "ok", `${sizes.length} of other hosts are kept, ${held} MiB of at most ${most}.`);
  } catch (error) {
    const says = `${folder} cannot be used, so each picture is fetched anew: ${reason(error)}.`;
    return finding(about, "note", says);
  }
}

export async function checkRunning({ dataDir }: Config): Promise<[Finding, Running | undefined]> {
  const about = "server";
  try {
    const answer = await askRunning(dataDir, whoIsThere);
    if (!answer) return [finding(about, "off", `No Hearth runs on ${dataDir}.`), undefined];
    const [itsVersion = "", url = "", engine = ""] = answer.lines;
    const running = { version: itsVersion, url, engine };
    if (itsVersion !== version) {
      const says = `Version ${itsVersion} runs at ${url}, but ${version} is installed: start it again.`;
      return [finding(about, "note", says), running];
    }
    return [finding(about, "ok", `Hearth ${itsVersion} runs at ${url}.`), running];
  } catch (error) {
    return [finding(about, "wrong", `${reason(error)}.`), undefined];
  }
}

export async function checkDatabase(config: Config, running: Running | undefined): Promise<Finding> {
  const about = "database";
  if (running) {
    const trouble = await troubleOf(running);
    return trouble === undefined
      ? finding(about, "ok", `The running server uses it (${running.engine}) and is ready.`)
      : finding(about, "wrong", `The running server (${running.engine}) is not ready: ${trouble}.`);
  }
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

/** Whether PostgreSQL lets Hearth have all the connections that it uses under load. */
export async function checkConnections(databaseUrl: string): Promise<Finding> {
  const about = "connections";
  try {
    const { askForShortage, connectionsNeeded } = await import("../server/database/postgres-limits.ts");
    const tooFew = await askForShortage(databaseUrl);
    return tooFew === undefined
      ? finding(about, "ok", `PostgreSQL grants the ${connectionsNeeded} that Hearth needs.`)
      : finding(about, "note", tooFew);
  } catch (error) {
    return finding(about, "wrong", `PostgreSQL gives none: ${reason(error)}.`);
  }
}

/** Reads the whole embedded database; undefined where there is none. */
export async function checkIntegrity({ databaseUrl, dataDir }: Config): Promise<Finding | undefined> {
  const about = "integrity";
  const file = join(dataDir, "hearth.db");
  if (databaseUrl || !existsSync(file)) return undefined;
  const gigabytes = statSync(file).size / 1e9;
  if (gigabytes > 1) console.error(`Reading ${gigabytes.toFixed(1)} GB of database, which can take minutes.`);
  try {
    const [first, ...more] = await troubleInSqlite(file);
    if (first === undefined) return finding(about, "ok", "SQLite finds nothing wrong in the database.");
    const says = `The database is damaged: ${first.replace(/[.\s]+$/, "")}${more.length > 0 ? ", and more" : ""}.`;
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

/** The reason that the running server gives for not being ready. */
async function troubleOf({ url }: Running): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(readyMs) });
    return answer.ok ? undefined : (await answer.text()).trim();
  } catch (error) {
    return reason(error);
  }
}
