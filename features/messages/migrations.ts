// Migrations of the message and nonce tables.
import { type Migration, sql } from "kysely";
import { type ColumnTypes, columnTypes } from "../../server/database/columns.ts";
import type { Database } from "../../server/database/database.ts";
import { expanding } from "../../server/database/migrate.ts";
import { unnoted } from "./store.ts";

type MigrationDb = Parameters<Migration["up"]>[0];

export function messageMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0006_messages": {
      async up(db) {
        await db.schema
          .createTable("messages")
          .addColumn("id", type.uuid, (c) => c.notNull().unique())
          .addColumn("channel_id", type.uuid, (c) => c.notNull().references("channels.id"))
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("author_id", type.uuid)
          .addColumn("content", type.text, (c) => c.notNull())
          .addColumn("reply_to", type.uuid)
          .addColumn("mention_user_ids", type.text, (c) => c.notNull())
          .addColumn("mention_role_ids", type.text, (c) => c.notNull())
          .addColumn("mentions_everyone", type.integer, (c) => c.notNull())
          .addColumn("nonce", type.text)
          .addColumn("edited_at", type.integer)
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("messages_pk", ["channel_id", "id"])
          // Stored in key order, so that a page of a channel lies together.
          .$call((table) => (engine === "sqlite" ? table.modifyEnd(sql`without rowid`) : table))
          .execute();
        await createNonces(db, engine);
      },
    },
    "0011_message_authors": {
      async up(db) {
        for (const name of ["webhook_id", "author_name", "author_avatar"]) {
          const kind = name === "webhook_id" ? type.uuid : type.text;
          await db.schema.alterTable("messages").addColumn(name, kind).execute();
        }
        await db.schema
          .alterTable("messages")
          .addColumn("attachments", type.text, (c) => c.notNull().defaultTo("[]"))
          .execute();
      },
    },
    "0027_nonce_bodies": {
      async up(db) {
        await db.schema.alterTable("message_nonces").addColumn("body_hash", type.text).execute();
      },
    },
    "0035_messages_in_places": {
      async up(db) {
        await sql`alter table messages alter column server_id drop not null`.execute(db);
      },
    },
    "0082_files_noted": expanding({ up: (db) => addFilesNoted(db, type) }),
  };
}

/** The index covers only messages with files that the previous release wrote; no other message has an entry. */
async function addFilesNoted(db: MigrationDb, type: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("messages")
    .addColumn("files_noted", type.integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`create index messages_unnoted on messages (id) where ${unnoted}`.execute(db);
}

async function createNonces(db: MigrationDb, engine: Database["engine"]): Promise<void> {
  const type = columnTypes(engine);
  await db.schema
    .createTable("message_nonces")
    .addColumn("author_id", type.uuid, (c) => c.notNull())
    .addColumn("channel_id", type.uuid, (c) => c.notNull())
    .addColumn("nonce", type.text, (c) => c.notNull())
    .addColumn("message_id", type.uuid, (c) => c.notNull())
    .addColumn("created_at", type.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("message_nonces_pk", ["author_id", "channel_id", "nonce"])
    .execute();
  await db.schema.createIndex("message_nonces_age").on("message_nonces").column("created_at").execute();
}
