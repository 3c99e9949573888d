// PostgreSQL in a backup: what its own pg_dump writes, and pg_restore takes back.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { sql } from "kysely";
import { environmentWith } from "../../server/config.ts";
import { CannotStart, type Db } from "../../server/database/database.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { forgetEpoch } from "../../server/instance.ts";
import type { Copies } from "./copies.ts";

const mostSaid = 2000;

export const postgresCopies: Copies = {
  engine: "postgres",
  filename: "database.dump",

  async make({ databaseUrl = "" }, file) {
    const { url, environment } = reach(databaseUrl);
    const how = ["--format=custom", "--no-owner", "--no-privileges", "--lock-wait-timeout=30s"];
    await run("pg_dump", [...how, `--file=${file}`, `--dbname=${url}`], environment);
  },

  async look(file) {
    const migrations = await rowsOf(file, "kysely_migration", ({ name = "" }) => name);
    const uploads = await rowsOf(
      file,
      "uploads",
      ({ filename = "", size }) => [filename, Number(size)] as const,
    );
    return { migrations: migrations.sort(), uploads: new Map(uploads) };
  },

  async trouble(file) {
    try {
      // Without a database to go to, it reads all that is in it.
      await run("pg_restore", ["--file=/dev/null", file]);
      return [];
    } catch (error) {
      if (error instanceof ProgramFailed) return [error.message];
      throw error;
    }
  },

  async claim({ databaseUrl = "" }) {
    const { url, environment } = reach(databaseUrl);
    const database = await openPostgres(databaseUrl);
    try {
      await expectEmpty(database.read);
    } catch (error) {
      await database.close();
      throw error;
    }
    return {
      async fill(file) {
        const how = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"];
        await run("pg_restore", [...how, `--dbname=${url}`, file], environment);
        await database.transaction((db) => sql.raw(forgetEpoch).execute(db));
      },
      release: () => database.close(),
    };
  },
};

async function expectEmpty(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'S') and nspname not like 'pg\\_%' and nspname <> 'information_schema'
    limit 1`.execute(db);
  const [first] = rows;
  if (!first) return;
  throw new CannotStart(
    `The database in DATABASE_URL is not empty (it has ${first.name}). Restore into a new one: nothing is overwritten.`,
  );
}

/** What is asked of each row of a table of a dump. */
async function rowsOf<T>(
  file: string,
  table: string,
  take: (row: Record<string, string>) => T,
): Promise<T[]> {
  const rows: T[] = [];
  let columns: string[] | undefined;
  await run("pg_restore", ["--data-only", `--table=${table}`, "--file=-", file], {}, async (output) => {
    for await (const line of createInterface({ input: output })) {
      const [, names] = /^COPY \S+ \((.*)\) FROM stdin;$/.exec(line) ?? [];
      if (names !== undefined) columns = names.split(", ");
      else if (line === "\\.") columns = undefined;
      else if (columns) {
        const cells = line.split("\t");
        rows.push(take(Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ""]))));
      }
    }
  });
  return rows;
}

/** Arguments can be seen by everybody on the machine: the password goes another way. */
function reach(databaseUrl: string): { url: string; environment: Record<string, string> } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password) || url.searchParams.get("password");
  url.password = "";
  url.searchParams.delete("password");
  return { url: url.href, environment: password ? { PGPASSWORD: password } : {} };
}

/** A program ended with an error. The message is what it said. */
class ProgramFailed extends CannotStart {}

async function run(
  program: "pg_dump" | "pg_restore",
  args: readonly string[],
  environment: Record<string, string> = {},
  hear: (output: Readable) => Promise<void> = async (output) => void output.resume(),
): Promise<void> {
  const child = spawn(program, args, {
    env: environmentWith(environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const reap = () => child.kill();
  process.on("exit", reap);
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(0, mostSaid);
  });
  const [ended, heard] = await Promise.allSettled([endOf(child), hear(child.stdout)]);
  process.off("exit", reap);
  if (ended.status === "rejected") throw notInstalled(program, ended.reason);
  if (heard.status === "rejected") throw heard.reason;
  if (ended.value !== 0) throw new ProgramFailed(`${said.split("\n", 1)[0] || `${program} failed`}.`);
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done(code));
  });
}

function notInstalled(program: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== "ENOENT") return error;
  return new CannotStart(
    `${program} is not installed here. It comes with PostgreSQL (Debian's package postgresql-client).`,
  );
}
