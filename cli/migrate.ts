// `hearth migrate --to postgres://…|sqlite`: moves a Hearth to the other engine while it runs; `--stay` reverts that.
import { existsSync, mkdirSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { CannotStart } from "../server/cannot-start.ts";
import type { Config } from "../server/config/config.ts";
import { migrateToLatest, migrationState } from "../server/database/migrate.ts";
import { arrivingKey, markOf, movedKey } from "../server/database/moved.ts";
import { claim } from "../server/database/sqlite.ts";
import { features } from "../server/features.ts";
import { reason } from "../server/house/check.ts";
import { allMigrations } from "../server/open.ts";
import { mustExist } from "./admin.ts";
import { firstRelation } from "./copies/postgres.ts";
import { beginArrival, endArrival, expectTarget, isHalfDone, prepareArrival } from "./moving/arrival.ts";
import type { End, Table } from "./moving/end.ts";
import { beginJournal, moveOf, removeJournal } from "./moving/journal.ts";
import { catchUp, copyTables, handOver, type Move, prove } from "./moving/move.ts";
import { postgresEnd } from "./moving/postgres.ts";
import { sqliteEnd } from "./moving/sqlite.ts";
import { Misunderstood } from "./words.ts";

const lessUrgent = 10;
const tellEveryMs = 5000;

export async function migrate(to: string | undefined, stays: boolean, config: Config): Promise<number> {
  const isBack = to === "sqlite";
  const isTo = to !== undefined && /^postgres(ql)?:\/\//.test(to);
  if (stays ? to !== undefined : !isBack && !isTo)
    throw new Misunderstood("Say hearth migrate --to postgres://…, or --to sqlite, or --stay.");
  if (to !== undefined && isBack !== (config.databaseUrl !== undefined))
    throw new CannotStart(
      isBack
        ? "This Hearth is in SQLite already; DATABASE_URL names a PostgreSQL to move from."
        : "DATABASE_URL is set, so this Hearth is in PostgreSQL already. To move it to SQLite, say --to sqlite.",
    );
  mustExist(config);
  setPriority(lessUrgent);
  const file = join(config.dataDir, "hearth.db");
  const source = config.databaseUrl
    ? await postgresEnd(config.databaseUrl, "source")
    : sqliteEnd(file, "source");
  try {
    if (to === undefined) return await stay(source);
    await expectSource(source);
    const moved = await markOf(source.db, movedKey);
    return isBack ? await intoSqlite(source, file, moved) : await intoPostgres(source, to, moved);
  } finally {
    await source.close();
  }
}

/** `moved`: the place to which the source has already moved. */
async function intoPostgres(source: End, url: string, moved: string | undefined): Promise<number> {
  let target: End;
  try {
    target = await postgresEnd(url, "target");
  } catch (error) {
    // A Hearth may already run on the target.
    if (moved !== undefined) throw hasMoved(moved);
    throw new CannotStart(reason(error).replaceAll("DATABASE_URL", "--to"));
  }
  try {
    return await move(source, target, await firstRelation(target.db), moved);
  } finally {
    await target.close();
  }
}

async function intoSqlite(source: End, file: string, moved: string | undefined): Promise<number> {
  const wasThere = existsSync(file);
  if (moved !== undefined && !wasThere) throw hasMoved(moved);
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  const lock = claim(`${file}.lock`);
  const target = sqliteEnd(file, "target");
  try {
    const [first] = wasThere ? await target.tables() : [];
    return await move(source, target, first?.name, moved);
  } finally {
    await target.close();
    lock.close();
  }
}

/** `firstTable`: a table that already exists in the target. */
async function move(
  source: End,
  target: End,
  firstTable: string | undefined,
  moved: string | undefined,
): Promise<number> {
  const known = await moveOf(source);
  if (moved !== undefined) {
    if (firstTable === undefined || !(await isHalfDone(target, known, "end"))) throw hasMoved(moved);
    // The move was killed between the end of the source and that of the target.
    await endArrival(target);
    return arrived(target);
  }
  if (firstTable !== undefined) await expectTarget(target, known, firstTable);
  const tables = await tablesToMove(source);
  const name = await beginJournal(source, tables);
  await beginArrival(target, name);
  await migrateToLatest(target.db, allMigrations(features, target.engine));
  await target.tables();
  await prepareArrival(target, source.name);
  const telling = progress();
  try {
    await run({ source, target, tables, ...telling });
  } catch (error) {
    throw new CannotStart(`The move was broken off: ${reason(error)} The same command goes on from there.`);
  } finally {
    telling.end();
  }
  return arrived(target);
}

function hasMoved(to: string): CannotStart {
  return new CannotStart(
    `This Hearth has moved already, to ${to}. hearth migrate --stay lets it go on here.`,
  );
}

async function run(move: Move): Promise<void> {
  await copyTables(move);
  await catchUp(move);
  await prove(move);
  await catchUp(move);
  const waited = await handOver(move);
  move.say(`The last changes came over while writers waited, for ${(waited / 1000).toFixed(1)} s.`);
}

/** Returns the tables that both engines have: those only in PostgreSQL concern running processes. */
async function tablesToMove(source: End): Promise<Table[]> {
  const empty = sqliteEnd(":memory:", "target");
  await migrateToLatest(empty.db, allMigrations(features, "sqlite"));
  const names = new Set((await empty.tables()).map(({ name }) => name as string));
  await empty.close();
  return (await source.tables()).filter(({ name }) => names.has(name) && !name.startsWith("kysely_"));
}

async function expectSource(source: End): Promise<void> {
  const { left, unknown } = await migrationState(source.db, allMigrations(features, source.engine));
  if (unknown.length > 0)
    throw new CannotStart("This Hearth was written by a newer version: run that version's hearth migrate.");
  if (left.length > 0)
    throw new CannotStart(
      "The tables are not up to date, or there is no Hearth here: start it here once first.",
    );
  if ((await markOf(source.db, arrivingKey)) !== undefined)
    throw new CannotStart(
      "A move into this database has not come to its end, so nothing can move out of it.",
    );
}

async function stay(source: End): Promise<number> {
  console.log(
    (await removeJournal(source))
      ? `The Hearth in ${source.name} goes on there; what a move had left in it is removed.`
      : `No move was begun from ${source.name}.`,
  );
  return 0;
}

function arrived(target: End): number {
  const how = target.engine === "postgres" ? "DATABASE_URL naming it" : "DATABASE_URL left out";
  console.log(
    `It is in ${target.name} now. The old one keeps all that it has and takes no writes: stop Hearth, and start it with ${how}. Uploads stay where they are.`,
  );
  return 0;
}

function progress() {
  let current = "beginning";
  const timer = setInterval(() => console.log(`${current}.`), tellEveryMs);
  return {
    say: (line: string) => console.log(line),
    doing(what: string) {
      current = what;
    },
    end: () => clearInterval(timer),
  };
}
