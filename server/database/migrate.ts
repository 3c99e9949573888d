// Runs the features' migrations in order, once each, and refuses a database that a newer version has changed.
import { type Kysely, type Migration, Migrator, sql } from "kysely";
import { CannotStart } from "../cannot-start.ts";

/** Tells whoever started the server what takes a while. */
export type Report = (progress: string) => void;

export async function migrateToLatest<T>(
  db: Kysely<T>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const applied = await appliedMigrations(db);
  if (applied.some((name) => !(name in migrations))) throw tooNew();
  // Most starts: Kysely would ask for all tables and columns before it finds that nothing is to be done.
  if (applied.length === Object.keys(migrations).length) return;
  const last = applied.at(-1) ?? "";
  const late = Object.keys(migrations).find((name) => name < last && !applied.includes(name));
  if (late !== undefined) throw outOfOrder(late, last);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

function tooNew(): CannotStart {
  return new CannotStart(
    "The database was written by a newer version of Hearth. Start that version, or restore a backup from before it.",
  );
}

/**
 * The author of the migration chose a number too low: on another database the two would have run in the other order.
 */
function outOfOrder(late: string, last: string): CannotStart {
  return new CannotStart(
    `The migration ${late} cannot run after ${last}, which this database has been through: give it a number above that.`,
  );
}

/** Names of the migrations that have not run yet, and of those that a newer Hearth ran. Changes nothing. */
export async function migrationState<T>(
  db: Kysely<T>,
  migrations: Record<string, Migration>,
): Promise<{ left: string[]; unknown: string[] }> {
  const applied = await appliedMigrations(db);
  return {
    left: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !(name in migrations)),
  };
}

/** Names of the migrations that have run, in their order. */
export async function appliedMigrations<T>(db: Kysely<T>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    // To look for the table first would make every start ask for all tables and columns.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    if (tables.some((table) => table.name === "kysely_migration")) throw error;
    return [];
  }
}
