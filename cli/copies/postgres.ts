// Copies of PostgreSQL: the output of its own pg_dump, which pg_restore reads.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { selectKnown } from "../../features/files/access.ts";
import { CannotStart } from "../../server/cannot-start.ts";
import { environmentWith } from "../../server/config/config.ts";
import type { Db } from "../../server/database/database.ts";
import { forgetEpoch } from "../../server/database/instance.ts";
import { expectHome } from "../../server/database/moved.ts";
import { migrationKey, openPostgres } from "../../server/database/postgres.ts";
import { postgresTables } from "../moving/postgres.ts";
import { sumTables } from "../moving/sums.ts";
import type { Copies } from "./copies.ts";
import { connected, inScratchDatabase, needsDatabase, reading } from "./scratch.ts";

const mostSaid = 2000;

export const postgresCopies: Copies = {
  engine: "postgres",
  filename: "database.dump",

  async make({ databaseUrl = "" }, file) {
    const { url, environment } = reach(databaseUrl);
    const how = ["--format=custom", "--no-owner", "--no-privileges", "--lock-wait-timeout=30s"];
    await connected(databaseUrl, expectHome);
    return reading(databaseUrl, async (db) => {
      const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(db);
      const asHere = `--snapshot=${rows[0]?.id}`;
      await run("pg_dump", [...how, asHere, `--file=${file}`, `--dbname=${url}`], environment);
      return sumTables(db, await postgresTables(db));
    });
  },

  async tryOut({ databaseUrl }, file) {
    if (databaseUrl === undefined) return needsDatabase;
    return inScratchDatabase(databaseUrl, async (scratch) => {
      await fill(scratch, file, "");
      return reading(scratch, async (db) => sumTables(db, await postgresTables(db)));
    });
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

  stillNamed: ({ databaseUrl = "" }, filenames) => connected(databaseUrl, (db) => selectKnown(db, filenames)),

  async trouble(file) {
    try {
      // Without a target database pg_restore reads the whole file.
      await run("pg_restore", ["--file=/dev/null", file]);
      return [];
    } catch (error) {
      if (error instanceof ProgramFailed) return [error.message];
      throw error;
    }
  },

  async claim({ databaseUrl = "" }) {
    const database = await openPostgres(databaseUrl);
    try {
      await expectEmpty(database.read);
    } catch (error) {
      await database.close();
      throw error;
    }
    return {
      fill: (file) => fill(databaseUrl, file, forgetEpoch),
      release: () => database.close(),
    };
  },
};

/**
 * Restores in one transaction, which ends with the statement `last`: everything is there, or nothing. A Hearth that
 * starts meanwhile waits for the migration lock.
 */
async function fill(databaseUrl: string, file: string, last: string): Promise<void> {
  const { url, environment } = reach(databaseUrl);
  const how = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", `--dbname=${url}`];
  await run("psql", how, environment, { speak: (input) => say(file, input, last) });
}

async function say(file: string, input: Writable, last: string): Promise<void> {
  const how = ["--file=-", "--no-owner", "--no-privileges"];
  input.write(`begin;\ndo 'begin perform pg_advisory_xact_lock(${migrationKey}); end';\n`);
  try {
    await run(
      "pg_restore",
      [...how, file],
      {},
      { hear: (script) => pipeline(script, input, { end: false }) },
    );
    // The script of pg_restore clears the search path of the session.
    input.end(`\nreset search_path;\n${last};\ncommit;\n`);
  } catch (error) {
    input.end();
    throw error;
  }
}

async function expectEmpty(db: Db): Promise<void> {
  const first = await firstRelation(db);
  if (first === undefined) return;
  throw new CannotStart(
    `The database in DATABASE_URL is not empty (it has ${first}). Restore into a new one: nothing is overwritten.`,
  );
}

/** Returns the name of a table, view or sequence; undefined in an empty database. */
export async function firstRelation(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'S') and nspname not like 'pg\\_%' and nspname <> 'information_schema'
    limit 1`.execute(db);
  return rows[0]?.name;
}

/** Returns the results of `take` for all rows of a table of a dump. */
async function rowsOf<T>(
  file: string,
  table: string,
  take: (row: Record<string, string>) => T,
): Promise<T[]> {
  const rows: T[] = [];
  let columns: string[] | undefined;
  async function hear(output: Readable): Promise<void> {
    for await (const line of createInterface({ input: output })) {
      const [, names] = /^COPY \S+ \((.*)\) FROM stdin;$/.exec(line) ?? [];
      if (names !== undefined) columns = names.split(", ");
      else if (line === "\\.") columns = undefined;
      else if (columns) {
        const cells = line.split("\t");
        rows.push(take(Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ""]))));
      }
    }
  }
  await run("pg_restore", ["--data-only", `--table=${table}`, "--file=-", file], {}, { hear });
  return rows;
}

/** Splits off the password, which goes into the environment: every user of the machine can see arguments. */
function reach(databaseUrl: string): { url: string; environment: Record<string, string> } {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password) || url.searchParams.get("password");
  url.password = "";
  url.searchParams.delete("password");
  return { url: url.href, environment: password ? { PGPASSWORD: password } : {} };
}

/** Thrown when a program ended with an error; the message is the program's output. */
class ProgramFailed extends CannotStart {}

interface Talk {
  hear?(output: Readable): Promise<void>;
  /** Writes the program's standard input, and ends it. */
  speak?(input: Writable): Promise<void>;
}

async function run(
  program: "pg_dump" | "pg_restore" | "psql",
  args: readonly string[],
  environment: Record<string, string> = {},
  { hear = async (output) => void output.resume(), speak = async (input) => void input.end() }: Talk = {},
): Promise<void> {
  const child = spawn(program, args, {
    env: environmentWith(environment),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const reap = () => child.kill();
  process.on("exit", reap);
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(0, mostSaid);
  });
  // A program that ends early prints the reason; the closed pipe of its input is not another one.
  child.stdin.on("error", () => {});
  const [ended, spoken, heard] = await Promise.allSettled([
    endOf(child),
    speak(child.stdin),
    hear(child.stdout),
  ]);
  process.off("exit", reap);
  if (ended.status === "rejected") throw notInstalled(program, ended.reason);
  if (ended.value !== 0 && said) throw new ProgramFailed(`${said.split("\n", 1)[0]}.`);
  for (const each of [spoken, heard]) if (each.status === "rejected") throw each.reason;
  if (ended.value !== 0) throw new ProgramFailed(`${program} failed.`);
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
