// Migrations of the table of people and of their search words.
import { type Migration, sql } from "kysely";
import { type ColumnTypes, columnTypes } from "../../server/database/columns.ts";
import type { Database } from "../../server/database/database.ts";
import { expanding, type Report } from "../../server/database/migrate.ts";
import { nameWordMigrations } from "./name-words.ts";
import { selectNames } from "./store.ts";

export function accountMigrations(engine: Database["engine"], report?: Report): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    ...nameWordMigrations(engine, selectNames, report),
    ...laterMigrations(type),
    "0001_accounts": {
      async up(db) {
        await db.schema
          .createTable("users")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("username", type.text, (c) => c.notNull())
          .addColumn("username_key", type.text, (c) => c.notNull().unique())
          .addColumn("email", type.text)
          .addColumn("email_key", type.text, (c) => c.unique())
          .addColumn("display_name", type.text, (c) => c.notNull())
          .addColumn("bio", type.text, (c) => c.notNull().defaultTo(""))
          .addColumn("accent_color", type.text)
          .addColumn("status_text", type.text, (c) => c.notNull().defaultTo(""))
          .addColumn("avatar", type.text)
          .addColumn("presence", type.text, (c) => c.notNull().defaultTo("online"))
          .addColumn("password_hash", type.text)
          .addColumn("instance_role", type.text, (c) => c.notNull().defaultTo("member"))
          .addColumn("is_bot", type.integer, (c) => c.notNull().defaultTo(0))
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .execute();
      },
    },
    "0010_badges_shown": {
      async up(db) {
        await db.schema
          .alterTable("users")
          .addColumn("badges", type.text, (c) => c.notNull().defaultTo("[]"))
          .execute();
      },
    },
    "0024_disabled": {
      async up(db) {
        await db.schema.alterTable("users").addColumn("disabled_at", type.integer).execute();
      },
    },
  };
}

function laterMigrations(type: ColumnTypes): Record<string, Migration> {
  return {
    "0025_owners": {
      async up(db) {
        await db.schema
          .alterTable("users")
          .addColumn("owner_id", type.uuid, (c) => c.references("users.id"))
          .execute();
        await db.schema.createIndex("users_owner").on("users").column("owner_id").execute();
      },
    },
    "0087_direct_from": expanding({
      async up(db) {
        await db.schema
          .alterTable("users")
          .addColumn("direct_from", type.text, (c) => c.notNull().defaultTo("shared_servers"))
          .execute();
      },
    }),
    // Pages stored `idle` when nobody had touched them for a while, so nobody can tell it from a choice.
    "0094_idle_choices": expanding({
      async up(db) {
        await sql`update users set presence = 'online' where presence = 'idle'`.execute(db);
      },
    }),
    "0095_own_avatars": expanding({
      async up(db) {
        await db.schema.alterTable("users").addColumn("own_avatar", type.text).execute();
      },
    }),
  };
}
