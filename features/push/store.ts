// The table of subscriptions, and the first migration of all push tables; mentions and deliveries are in queue.ts.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { prepared } from "../../server/database/prepared.ts";

export interface SubscriptionsTable {
  id: string;
  user_id: string;
  /** The session that subscribed; the subscription ends with it. */
  session_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    push_subscriptions: SubscriptionsTable;
    /** PostgreSQL only: one row with a version that rises with each change that causes messages to be queued. */
    push_version: { version: number };
  }
}

export function pushMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0021_push": {
      async up(db) {
        await db.schema
          .createTable("push_subscriptions")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull().references("users.id"))
          .addColumn("session_id", type.uuid, (c) =>
            c.notNull().references("sessions.id").onDelete("cascade"),
          )
          .addColumn("endpoint", type.text, (c) => c.notNull().unique())
          .addColumn("p256dh", type.text, (c) => c.notNull())
          .addColumn("auth", type.text, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema
          .createIndex("push_subscriptions_user")
          .on("push_subscriptions")
          .columns(["user_id", "created_at"])
          .execute();
        await db.schema
          .createIndex("push_subscriptions_session")
          .on("push_subscriptions")
          .column("session_id")
          .execute();
        await db.schema
          .createTable("push_calls")
          .addColumn("message_id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("spread_to", type.uuid)
          .execute();
        await db.schema
          .createTable("push_calls_to_many")
          .addColumn("sender_id", type.uuid, (c) => c.notNull())
          .addColumn("channel_id", type.uuid, (c) => c.notNull())
          .addColumn("called_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("push_calls_to_many_pk", ["sender_id", "channel_id"])
          .execute();
        await db.schema
          .createTable("push_deliveries")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("message_id", type.uuid, (c) => c.notNull())
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("subscription_id", type.uuid, (c) =>
            c.notNull().references("push_subscriptions.id").onDelete("cascade"),
          )
          .addColumn("tries", type.integer, (c) => c.notNull())
          .addColumn("due_at", type.integer, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema
          .createIndex("push_deliveries_due")
          .on("push_deliveries")
          .columns(["due_at", "id"])
          .execute();
        await db.schema
          .createIndex("push_deliveries_subscription")
          .on("push_deliveries")
          .column("subscription_id")
          .execute();
      },
    },
  };
}

const version = prepared<Record<string, never>, { version: number }>((db) =>
  db.selectFrom("push_version").select("version"),
);

/** Returns the version of the last committed change. */
export async function selectVersion(db: Db): Promise<number> {
  return (await version(db, {}))[0]?.version ?? 0;
}

/** Takes the next version. Others wait for the end of this transaction, so versions follow the commits. */
export async function raiseVersion(db: Db): Promise<number> {
  const row = await db
    .updateTable("push_version")
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .returning("version")
    .executeTakeFirstOrThrow();
  return row.version;
}

/** Assigns the endpoint to this person, even if it belonged to another one. */
export async function upsertSubscription(db: Db, row: SubscriptionsTable): Promise<void> {
  const { user_id, session_id, p256dh, auth, created_at } = row;
  await db
    .insertInto("push_subscriptions")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("endpoint").doUpdateSet({ user_id, session_id, p256dh, auth, created_at }),
    )
    .execute();
}

/** Deletes all but the newest of a person's subscriptions. */
export async function trimSubscriptions(db: Db, userId: string, keep: number): Promise<void> {
  const rows = await db
    .selectFrom("push_subscriptions")
    .select("id")
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  for (const { id } of rows.slice(keep)) await deleteSubscription(db, id);
}

/** Returns false if it is already deleted. */
export async function deleteSubscription(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("push_subscriptions")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns false if the person has no subscription of this endpoint. */
export async function deleteEndpointOf(db: Db, userId: string, endpoint: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", userId)
    .where("endpoint", "=", endpoint)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the owner of the endpoint. */
export async function subscriberOf(db: Db, endpoint: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("push_subscriptions")
    .select("user_id")
    .where("endpoint", "=", endpoint)
    .executeTakeFirst();
  return row?.user_id;
}

/** Returns the sessions that subscribed a person's browsers. */
export async function sessionsSubscribed(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("push_subscriptions")
    .select("session_id")
    .where("user_id", "=", userId)
    .execute();
  return rows.map((row) => row.session_id);
}

export async function selectSubscribers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("push_subscriptions").select("user_id").distinct().execute();
  return rows.map((row) => row.user_id);
}

/** Returns the ids and owners of these people's subscriptions. */
export async function selectSubscriptionIds(
  db: Db,
  userIds: readonly string[],
): Promise<{ id: string; user_id: string }[]> {
  if (userIds.length === 0) return [];
  return db
    .selectFrom("push_subscriptions")
    .select(["id", "user_id"])
    .where("user_id", "in", userIds)
    .execute();
}

export function selectSubscriptionsOf(db: Db, userId: string): Promise<SubscriptionsTable[]> {
  return db.selectFrom("push_subscriptions").selectAll().where("user_id", "=", userId).execute();
}

export async function selectSubscriptions(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, SubscriptionsTable>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("push_subscriptions").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
