// The table of weekly hours: one row for each person who set them.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface AvailabilityTable {
  user_id: string;
  time_zone: string;
  /** JSON: the windows, as in responses. */
  windows: string;
  dnd_outside: number;
  /** 1 if at the last look the person was outside their hours and wanted do-not-disturb then. */
  dnd_now: number;
  /** When to look again; null: never. */
  due_at: number | null;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    availability: AvailabilityTable;
  }
}

export function availabilityMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0020_availability": {
      async up(db) {
        await db.schema
          .createTable("availability")
          .addColumn("user_id", type.uuid, (c) => c.primaryKey().notNull().references("users.id"))
          .addColumn("time_zone", type.text, (c) => c.notNull())
          .addColumn("windows", type.text, (c) => c.notNull())
          .addColumn("dnd_outside", type.integer, (c) => c.notNull())
          .addColumn("undisturbed", type.integer, (c) => c.notNull())
          .addColumn("due_at", type.integer)
          .execute();
        await db.schema.createIndex("availability_due").on("availability").column("due_at").execute();
      },
    },
    "0036_dnd_now": {
      async up(db) {
        await db.schema.alterTable("availability").renameColumn("undisturbed", "dnd_now").execute();
      },
    },
  };
}

export function selectAvailability(db: Db, userId: string): Promise<AvailabilityTable | undefined> {
  return db.selectFrom("availability").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** Returns the rows of those of these people who want do-not-disturb outside their hours. */
export function selectAvailabilities(db: Db, userIds: readonly string[]): Promise<AvailabilityTable[]> {
  return db
    .selectFrom("availability")
    .selectAll()
    .where("dnd_outside", "=", 1)
    .where("user_id", "in", userIds)
    .execute();
}

export async function upsertAvailability(db: Db, { user_id, ...row }: AvailabilityTable): Promise<void> {
  await db
    .insertInto("availability")
    .values({ user_id, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}

/** Stores the result of a look, unless the person changed their hours meanwhile. */
export async function updateLook(db: Db, before: AvailabilityTable, after: AvailabilityTable): Promise<void> {
  await db
    .updateTable("availability")
    .set({ dnd_now: after.dnd_now, due_at: after.due_at })
    .where("user_id", "=", before.user_id)
    .where("due_at", "=", before.due_at)
    .where("windows", "=", before.windows)
    .where("time_zone", "=", before.time_zone)
    .where("dnd_outside", "=", before.dnd_outside)
    .execute();
}

/** No change lies further ahead than this: a later `due_at` was computed with a wrong clock. */
const farthestMs = 17 * 24 * 3600_000;

export function isDue({ due_at }: AvailabilityTable, at: number): boolean {
  return due_at !== null && (due_at <= at || due_at > at + farthestMs);
}

/** Returns the rows that are due, the longest overdue first. */
export function selectDue(db: Db, at: number, limit: number): Promise<AvailabilityTable[]> {
  return db
    .selectFrom("availability")
    .selectAll()
    .where((eb) => eb.or([eb("due_at", "<=", at), eb("due_at", ">", at + farthestMs)]))
    .orderBy("due_at")
    .limit(limit)
    .execute();
}
