// Migrated databases to copy: a template in the private PostgreSQL, made once a run, and a file of SQLite, made once a
// process.
import { randomBytes } from "node:crypto";
import { cpSync } from "node:fs";
import pg from "pg";
import { readConfig } from "../../../server/config/config.ts";
import { openDatabase } from "../../../server/database/open.ts";
import { features } from "../../../server/features.ts";
import { allMigrations } from "../../../server/open.ts";
import { type TemporaryFolder, temporaryFolder } from "../machine/folder.ts";

interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

const template = "hearth_template";
/** Key of the advisory lock by which processes of one run wait for each other; any number will do. */
const templateLock = 7_202_611;

export async function makeDatabase(server: string, isMigrated: boolean): Promise<TestDatabase> {
  const name = `hearth_${randomBytes(6).toString("hex")}`;
  const asAdmin = (statement: string) => withClient(server, (client) => client.query(statement));
  if (isMigrated) await makeTemplate(server);
  await asAdmin(`create database ${name} ${isMigrated ? `template ${template}` : ""}`);
  return {
    url: at(server, name),
    drop: async () => void (await asAdmin(`drop database ${name} with (force)`)),
  };
}

let migrated: Promise<TemporaryFolder> | undefined;

/** Copies the migrated SQLite file into a data folder. */
export async function copyMigrated(dataFolder: string): Promise<void> {
  migrated ??= migratedFolder();
  cpSync((await migrated).path, dataFolder, { recursive: true });
}

async function migratedFolder(): Promise<TemporaryFolder> {
  const folder = temporaryFolder();
  process.on("exit", () => folder.remove());
  await migrate({ DATA_DIR: folder.path });
  return folder;
}

async function migrate(settings: Record<string, string>): Promise<void> {
  const database = await openDatabase(readConfig([], settings));
  await database.migrate(allMigrations(features, database.engine));
  await database.close();
}

let made: Promise<void> | undefined;

/** Makes the template, in the first process that needs it. */
function makeTemplate(server: string): Promise<void> {
  made ??= withClient(server, async (client) => {
    await client.query(`select pg_advisory_lock(${templateLock})`);
    const { rowCount } = await client.query(`select 1 from pg_database where datname = '${template}'`);
    if (rowCount !== 0) return;
    const draft = `${template}_${randomBytes(6).toString("hex")}`;
    await client.query(`create database ${draft}`);
    await migrate({ DATABASE_URL: at(server, draft) });
    await client.query(`alter database ${draft} rename to ${template}`);
  });
  return made;
}

function at(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function withClient<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
