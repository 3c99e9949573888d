// The table of scheduled events, and the migration of all tables of the schedule; answers are read and written in rsvps.ts.
import type { Migration } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";

export interface ScheduledEventsTable {
  id: string;
  server_id: string;
  creator_id: string;
  channel_id: string | null;
  title: string;
  description: string;
  starts_at: number;
  ends_at: number | null;
  /** When it counts as over, with an end or without. */
  over_at: number;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    scheduled_events: ScheduledEventsTable;
  }
}

export function scheduleMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0017_schedule": {
      async up(db) {
        await db.schema
          .createTable("scheduled_events")
          .addColumn("id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("creator_id", type.uuid, (c) => c.notNull())
          .addColumn("channel_id", type.uuid)
          .addColumn("title", type.text, (c) => c.notNull())
          .addColumn("description", type.text, (c) => c.notNull())
          .addColumn("starts_at", type.integer, (c) => c.notNull())
          .addColumn("ends_at", type.integer)
          .addColumn("over_at", type.integer, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .execute();
        await db.schema
          .createIndex("scheduled_events_server")
          .on("scheduled_events")
          .columns(["server_id", "over_at"])
          .execute();
        await db.schema
          .createTable("rsvps")
          .addColumn("event_id", type.uuid, (c) =>
            c.notNull().references("scheduled_events.id").onDelete("cascade"),
          )
          .addColumn("user_id", type.uuid, (c) => c.notNull())
          .addColumn("status", type.text, (c) => c.notNull())
          .addPrimaryKeyConstraint("rsvps_pk", ["event_id", "user_id"])
          .execute();
        await db.schema.createIndex("rsvps_user").on("rsvps").column("user_id").execute();
      },
    },
  };
}

export async function insertEvent(db: Db, row: ScheduledEventsTable): Promise<void> {
  await db.insertInto("scheduled_events").values(row).execute();
}

export function selectEvent(db: Db, id: string): Promise<ScheduledEventsTable | undefined> {
  return db.selectFrom("scheduled_events").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Not over at this moment, by their start. */
export function selectLive(db: Db, serverId: string, now: number): Promise<ScheduledEventsTable[]> {
  return db
    .selectFrom("scheduled_events")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("over_at", ">", now)
    .orderBy("starts_at")
    .orderBy("id")
    .execute();
}

/** Over by this moment, the last one first. */
export function selectOver(
  db: Db,
  serverId: string,
  { since, now, limit }: { since: number; now: number; limit: number },
): Promise<ScheduledEventsTable[]> {
  return db
    .selectFrom("scheduled_events")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("over_at", "<=", now)
    .where("over_at", ">", since)
    .orderBy("over_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function updateEvent(
  db: Db,
  id: string,
  changes: Pick<
    ScheduledEventsTable,
    "title" | "description" | "starts_at" | "ends_at" | "over_at" | "channel_id"
  >,
): Promise<void> {
  await db.updateTable("scheduled_events").set(changes).where("id", "=", id).execute();
}

export async function deleteEvent(db: Db, id: string): Promise<void> {
  await db.deleteFrom("scheduled_events").where("id", "=", id).execute();
}

/** Those that were over by this moment, but for the last `kept`. */
export async function deleteOver(db: Db, serverId: string, now: number, kept: number): Promise<void> {
  await db
    .deleteFrom("scheduled_events")
    .where("server_id", "=", serverId)
    .where("over_at", "<=", now)
    .where("id", "not in", (query) =>
      query
        .selectFrom("scheduled_events")
        .select("id")
        .where("server_id", "=", serverId)
        .where("over_at", "<=", now)
        .orderBy("over_at", "desc")
        .orderBy("id", "desc")
        .limit(kept),
    )
    .execute();
}

export async function deleteEventsOf(db: Db, serverId: string): Promise<void> {
  await db.deleteFrom("scheduled_events").where("server_id", "=", serverId).execute();
}

export async function leaveChannel(db: Db, serverId: string, channelId: string): Promise<void> {
  await db
    .updateTable("scheduled_events")
    .set({ channel_id: null })
    .where("server_id", "=", serverId)
    .where("channel_id", "=", channelId)
    .execute();
}

/** The ids of a server's events, as part of a larger query. */
export function eventIdsOf(db: Db, serverId: string) {
  return db.selectFrom("scheduled_events").select("id").where("server_id", "=", serverId);
}
