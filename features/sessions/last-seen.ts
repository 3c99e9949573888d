// The table of last-seen times, taken from ended sessions.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    /** The latest use of any ended session, for people who have one. */
    last_seen: { user_id: string; at: number };
  }
}

export function lastSeenMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0052_last_seen": {
      async up(db) {
        await db.schema
          .createTable("last_seen")
          .addColumn("user_id", type.uuid, (c) => c.primaryKey().notNull().references("users.id"))
          .addColumn("at", type.integer, (c) => c.notNull())
          .execute();
      },
    },
  };
}

/** Stores the time unless a later one is stored. */
export async function raiseLastSeen(db: Db, userId: string, at: number): Promise<void> {
  await db
    .insertInto("last_seen")
    .values({ user_id: userId, at })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ at }).where("last_seen.at", "<", at))
    .execute();
}

export async function selectLastSeen(db: Db, userIds: readonly string[]) {
  if (userIds.length === 0) return [];
  return db.selectFrom("last_seen").selectAll().where("user_id", "in", userIds).execute();
}
