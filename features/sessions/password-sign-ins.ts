// The table of the last sign-ins by password, taken from ended sessions.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { expanding } from "../../server/database/migrate.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    /** The latest time, for people with such an ended session, or a password set by a link. */
    password_sign_ins: { user_id: string; at: number };
  }
}

export function passwordSignInMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0085_password_sign_ins": expanding({
      async up(db) {
        await db.schema
          .createTable("password_sign_ins")
          .addColumn("user_id", type.uuid, (c) => c.primaryKey().notNull().references("users.id"))
          .addColumn("at", type.integer, (c) => c.notNull())
          .execute();
      },
    }),
  };
}

/** Stores the time unless a later one is stored. */
export async function raisePasswordSignIn(db: Db, userId: string, at: number): Promise<void> {
  await db
    .insertInto("password_sign_ins")
    .values({ user_id: userId, at })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({ at }).where("password_sign_ins.at", "<", at),
    )
    .execute();
}

export async function selectPasswordSignIn(db: Db, userId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("password_sign_ins")
    .select("at")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.at;
}
