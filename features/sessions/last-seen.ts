// The table of when people were last seen: what their ended sessions still tell.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    /** Of people with a session that has ended: the last use of any of those. */
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

/** Keeps the time, unless the person was seen later. */
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
