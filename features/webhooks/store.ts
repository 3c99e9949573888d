// The table of webhooks.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface WebhooksTable {
  id: string;
  channel_id: string;
  server_id: string;
  name: string;
  token_hash: string;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    webhooks: WebhooksTable;
  }
}

export function webhookMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0015_webhooks": {
      async up(db) {
        await db.schema
          .createTable("webhooks")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("channel_id", type.uuid, (c) => c.notNull())
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("name", type.text, (c) => c.notNull())
          .addColumn("token_hash", type.text, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema.createIndex("webhooks_channel").on("webhooks").column("channel_id").execute();
        await db.schema.createIndex("webhooks_server").on("webhooks").column("server_id").execute();
      },
    },
  };
}

export async function insertWebhook(db: Db, row: WebhooksTable): Promise<void> {
  await db.insertInto("webhooks").values(row).execute();
}

export function selectWebhook(db: Db, id: string): Promise<WebhooksTable | undefined> {
  return db.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Returns the webhooks of a channel, oldest first. */
export function selectWebhooks(db: Db, channelId: string): Promise<WebhooksTable[]> {
  return db.selectFrom("webhooks").selectAll().where("channel_id", "=", channelId).orderBy("id").execute();
}

export async function countWebhooks(db: Db, serverId: string): Promise<number> {
  const { count } = await db
    .selectFrom("webhooks")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("server_id", "=", serverId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns false if the webhook was already deleted. */
export async function deleteWebhook(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("webhooks").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export async function deleteWebhooksOfChannel(db: Db, channelId: string): Promise<void> {
  await db.deleteFrom("webhooks").where("channel_id", "=", channelId).execute();
}

export async function deleteWebhooksOfServer(db: Db, serverId: string): Promise<void> {
  await db.deleteFrom("webhooks").where("server_id", "=", serverId).execute();
}
