// Runs the features' migrations in order, once each, and refuses a database that a newer version has changed.
import { type Kysely, type Migration, Migrator, sql } from "kysely";
import { CannotStart } from "../cannot-start.ts";
import type { Db } from "./database.ts";
import { keep } from "./instance.ts";

/** Reports the progress of long work to the person who started the server. */
export type Report = (progress: string) => void;

const expansions = new WeakSet<Migration>();

/**
 * Marks a migration after which the previous release keeps working, and may be started: it adds a table, an index, or
 * an optional column. The database stores the mark, as that release does not know the migration.
 */
export function expanding(migration: Migration): Migration {
  expansions.add(migration);
  return migration;
}

export const isExpanding = (migration: Migration): boolean => expansions.has(migration);

/** Prefix of an expanding migration's name among the facts of the instance. */
export const expandedBy = "expanded by ";

export async function migrateToLatest<T>(
  db: Kysely<T>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const applied = await appliedMigrations(db);
  const unknown = await unknownTo(db, applied, migrations);
  const left = Object.keys(migrations).filter((name) => !applied.includes(name));
  if (unknown.foreign.length > 0 || (unknown.expanding.length > 0 && left.length > 0)) throw tooNew();
  // Most starts: Kysely would query all tables and columns before it finds that nothing is to be done.
  if (left.length === 0) return;
  const last = applied.at(-1) ?? "";
  const late = left.find((name) => name < last);
  if (late !== undefined) throw outOfOrder(late, last);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => remembering(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** The same migrations, with those that expand recorded in the database. */
function remembering(migrations: Record<string, Migration>): Record<string, Migration> {
  const entries = Object.entries(migrations).map(([name, migration]): [string, Migration] => {
    if (!isExpanding(migration)) return [name, migration];
    const up: Migration["up"] = async (db) => {
      await migration.up(db);
      await keep(db as Db, expandedBy + name, "");
    };
    return [name, { up }];
  });
  return Object.fromEntries(entries);
}

/** Migrations that a newer Hearth ran: those that only expanded the tables, and the others. */
async function unknownTo<T>(
  db: Kysely<T>,
  applied: readonly string[],
  migrations: Record<string, Migration>,
): Promise<{ expanding: string[]; foreign: string[] }> {
  const unknown = applied.filter((name) => !(name in migrations));
  if (unknown.length === 0) return { expanding: [], foreign: [] };
  const { rows } = await sql<{ key: string }>`select key from instance`.execute(db);
  const marks = new Set(rows.map(({ key }) => key));
  const [expanding, foreign] = [true, false].map((isMarked) =>
    unknown.filter((name) => marks.has(expandedBy + name) === isMarked),
  ) as [string[], string[]];
  return { expanding, foreign };
}

function tooNew(): CannotStart {
  return new CannotStart(
    "The database was written by a newer version of Hearth. Start that version, or restore a backup from before it.",
  );
}

/** The migration's number is too low: on another database the two would have run in the other order. */
function outOfOrder(late: string, last: string): CannotStart {
  return new CannotStart(
    `The migration ${late} cannot run after ${last}, which this database has been through: give it a number above that.`,
  );
}

/** Names of migrations that have not run yet, and of foreign ones that keep this version out. Changes nothing. */
export async function migrationState<T>(
  db: Kysely<T>,
  migrations: Record<string, Migration>,
): Promise<{ left: string[]; unknown: string[] }> {
  const applied = await appliedMigrations(db);
  return {
    left: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: (await unknownTo(db, applied, migrations)).foreign,
  };
}

/** Names of the migrations that have run, in order. */
export async function appliedMigrations<T>(db: Kysely<T>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    // Looking for the table first would make every start query all tables and columns.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    if (tables.some((table) => table.name === "kysely_migration")) throw error;
    return [];
  }
}
