// The table of scheduled events, and the migrations of all tables of the schedule; answers are in rsvps.ts.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import type { Report } from "../../server/database/migrate.ts";
import { replaceTable } from "../../server/database/replace-table.ts";
import type { Attendance } from "./contract.ts";

export interface ScheduledEventsTable {
  id: string;
  server_id: string;
  creator_id: string;
  channel_id: string | null;
  title: string;
  description: string;
  starts_at: number;
  ends_at: number | null;
  /** When the event counts as over, whether it has an end or not. */
  over_at: number;
  created_at: number;
  /** The number of rows in `rsvps` with this answer. */
  going_count: number;
  maybe_count: number;
  no_count: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    scheduled_events: ScheduledEventsTable;
  }
}

export function scheduleMigrations(engine: Database["engine"], report?: Report): Record<string, Migration> {
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
    "0031_rsvp_counts": {
      async up(db) {
        for (const status of ["going", "maybe", "no"]) {
          const column = `${status}_count`;
          await db.schema
            .alterTable("scheduled_events")
            .addColumn(column, type.integer, (c) => c.notNull().defaultTo(0))
            .execute();
          await sql`update scheduled_events set ${sql.ref(column)} = (select count(*) from rsvps
            where rsvps.event_id = scheduled_events.id and rsvps.status = ${status})`.execute(db);
        }
        // Answers are swept after their event, so they must not keep its row from being deleted.
        if (engine === "postgres") {
          await db.schema.alterTable("rsvps").dropConstraint("rsvps_event_id_fkey").execute();
          await db.schema.dropIndex("rsvps_user").execute();
          return;
        }
        const create = (name: string) =>
          db.schema
            .createTable(name)
            .addColumn("event_id", type.uuid, (c) => c.notNull())
            .addColumn("user_id", type.uuid, (c) => c.notNull())
            .addColumn("status", type.text, (c) => c.notNull())
            .addPrimaryKeyConstraint("rsvps_pk", ["event_id", "user_id"])
            .modifyEnd(sql`without rowid`)
            .execute();
        await replaceTable(db, { table: "rsvps", create, key: ["event_id", "user_id"] }, report);
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

/** Returns events that are not over at this moment, by start. */
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

export async function countLive(db: Db, serverId: string, now: number): Promise<number> {
  const { count } = await db
    .selectFrom("scheduled_events")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("server_id", "=", serverId)
    .where("over_at", ">", now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns events that are over by this moment, the latest first. */
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

/** Deletes the events over by this moment, except the last `kept`. Returns the ids of the deleted ones. */
export async function deleteOver(db: Db, serverId: string, now: number, kept: number): Promise<string[]> {
  const rows = await db
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
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

/** Deletes all events of a server. Returns their ids. */
export async function deleteEventsOf(db: Db, serverId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom("scheduled_events")
    .where("server_id", "=", serverId)
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

export async function leaveChannel(db: Db, serverId: string, channelId: string): Promise<void> {
  await db
    .updateTable("scheduled_events")
    .set({ channel_id: null })
    .where("server_id", "=", serverId)
    .where("channel_id", "=", channelId)
    .execute();
}

export async function selectEventIds(db: Db, serverId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("scheduled_events")
    .select("id")
    .where("server_id", "=", serverId)
    .execute();
  return rows.map((row) => row.id);
}

/** Adds to the count of one kind of answer, for each of these events. */
export async function addToCounts(
  db: Db,
  eventIds: readonly string[],
  status: Attendance,
  change: 1 | -1,
): Promise<void> {
  const column = `${status}_count` as const;
  await db
    .updateTable("scheduled_events")
    .set((eb) => ({ [column]: eb(column, "+", change) }))
    .where("id", "in", eventIds)
    .execute();
}
