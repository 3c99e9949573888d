// The durable queue: messages to be fanned out, and deliveries, one per browser.
import { type Migration, sql } from "kysely";
import { columnTypes } from "../../server/database/columns.ts";
import type { Database, Db } from "../../server/database/database.ts";
import { expanding } from "../../server/database/migrate.ts";
import { prepared } from "../../server/database/prepared.ts";

export interface QueuedTable {
  message_id: string;
  /** The last person reached by the fan-out, which goes in the order of ids. Null: not begun. */
  fanned_out_to: string | null;
  /** The mentions of the message as posted, because edits cause no pushes: ids as JSON, and 1 for everyone. */
  mention_user_ids: string;
  mention_role_ids: string;
  mentions_everyone: number;
  /** 1 if mentions of roles and everyone are pushed: the sender had a turn. */
  reaches_many: number;
}

export interface DeliveriesTable {
  id: string;
  message_id: string;
  /** The recipient; the subscription may belong to another person by now. */
  user_id: string;
  subscription_id: string;
  /** 1 if the message mentioned the person when it was posted. */
  is_mention: number;
  tries: number;
  /** During an attempt: the time of the next one, in case the process dies in this one. */
  due_at: number;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    push_messages: QueuedTable;
    push_mentions_of_many: { sender_id: string; channel_id: string; mentioned_at: number };
    push_deliveries: DeliveriesTable;
  }
}

export function queueMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0036_push_mentions": {
      async up(db) {
        await db.schema.alterTable("push_calls").renameTo("push_mentions").execute();
        await db.schema.alterTable("push_mentions").renameColumn("spread_to", "fanned_out_to").execute();
        await db.schema.alterTable("push_calls_to_many").renameTo("push_mentions_of_many").execute();
        await db.schema
          .alterTable("push_mentions_of_many")
          .renameColumn("called_at", "mentioned_at")
          .execute();
      },
    },
    // Messages queued before were queued for their mentions, which are stored from now on.
    "0046_push_messages": {
      async up(db) {
        await db.schema.alterTable("push_mentions").renameTo("push_messages").execute();
        const add = (table: string, name: string, kind: typeof type.text, fallback: string | number) =>
          db.schema
            .alterTable(table)
            .addColumn(name, kind, (c) => c.notNull().defaultTo(fallback))
            .execute();
        await add("push_messages", "mention_user_ids", type.text, "[]");
        await add("push_messages", "mention_role_ids", type.text, "[]");
        await add("push_messages", "mentions_everyone", type.integer, 0);
        await add("push_messages", "reaches_many", type.integer, 0);
        await add("push_deliveries", "is_mention", type.integer, 1);
        await sql`update push_messages set mention_user_ids = messages.mention_user_ids,
          mention_role_ids = messages.mention_role_ids, mentions_everyone = messages.mentions_everyone
          from messages where messages.id = push_messages.message_id`.execute(db);
        await sql`update push_messages set reaches_many = 1 where fanned_out_to is not null`.execute(db);
      },
    },
    // Only one process uses SQLite.
    ...(engine === "postgres" && { "0061_push_version": expanding({ up: createVersion }) }),
  };
}

async function createVersion(db: Parameters<Migration["up"]>[0]): Promise<void> {
  const type = columnTypes("postgres");
  await db.schema
    .createTable("push_version")
    .addColumn("version", type.integer, (c) => c.notNull())
    .execute();
  await sql`insert into push_version (version) values (0)`.execute(db);
}

const selectAny = prepared((db) => db.selectFrom("push_messages").select("message_id").limit(1));

export async function areMessagesWaiting(db: Db): Promise<boolean> {
  return (await selectAny(db, {})).length > 0;
}

/** Returns the oldest messages that have not been fanned out yet. */
export async function selectNew(db: Db, limit: number): Promise<QueuedTable[]> {
  return db
    .selectFrom("push_messages")
    .selectAll()
    .where("fanned_out_to", "is", null)
    .orderBy("message_id")
    .limit(limit)
    .execute();
}

/** A message that is partly fanned out. */
export type Begun = QueuedTable & { fanned_out_to: string };

/** Returns the oldest message that is partly fanned out. */
export async function selectOldestBegun(db: Db): Promise<Begun | undefined> {
  return db
    .selectFrom("push_messages")
    .selectAll()
    .where("fanned_out_to", "is not", null)
    .$narrowType<{ fanned_out_to: string }>()
    .orderBy("message_id")
    .limit(1)
    .executeTakeFirst();
}

type Progress = Partial<Pick<QueuedTable, "fanned_out_to" | "reaches_many">>;

export async function updateQueued(db: Db, id: string, progress: Progress): Promise<void> {
  await db.updateTable("push_messages").set(progress).where("message_id", "=", id).execute();
}

export async function deleteQueued(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("push_messages").where("message_id", "in", ids).execute();
}

/** A sender may mention many in a channel once within this time, in milliseconds. */
const pauseMs = 60_000;

/** True if the sender may mention many at this time; if so, takes the turn. */
export async function takeTurn(db: Db, senderId: string, channelId: string, at: number): Promise<boolean> {
  // Older turns have expired; later ones were written by a clock that was ahead.
  await db
    .deleteFrom("push_mentions_of_many")
    .where((eb) => eb.not(eb.between("mentioned_at", at - pauseMs + 1, at + pauseMs)))
    .execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("push_mentions_of_many")
    .values({ sender_id: senderId, channel_id: channelId, mentioned_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the number of queued deliveries by subscription, for those of these that have at least `many`. */
export async function selectFull(
  db: Db,
  subscriptionIds: readonly string[],
  many: number,
): Promise<ReadonlyMap<string, number>> {
  if (subscriptionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("push_deliveries")
    .select(["subscription_id", (eb) => eb.fn.countAll<number>().as("count")])
    .where("subscription_id", "in", subscriptionIds)
    .groupBy("subscription_id")
    .having((eb) => eb.fn.countAll(), ">=", many)
    .execute();
  return new Map(rows.map((row) => [row.subscription_id, Number(row.count)]));
}

/** A position in the queue, which is ordered by due time. */
export type Position = Pick<DeliveriesTable, "due_at" | "id">;

export interface Page {
  limit: number;
  /** The last delivery of the previous page. */
  after?: Position | undefined;
  /** `desc`: the most recently due first. */
  order?: "asc" | "desc";
}

/** Returns due deliveries, the longest due first. */
export function selectDue(
  db: Db,
  at: number,
  { limit, after, order = "asc" }: Page,
): Promise<DeliveriesTable[]> {
  return db
    .selectFrom("push_deliveries")
    .selectAll()
    .where("due_at", "<=", at)
    .$if(after !== undefined, (query) =>
      query
        .where("due_at", ">=", after!.due_at)
        .where((eb) => eb.or([eb("due_at", ">", after!.due_at), eb("id", ">", after!.id)])),
    )
    .orderBy("due_at", order)
    .orderBy("id", order)
    .limit(limit)
    .execute();
}

/**
 * Counts an attempt of these deliveries before it begins, and blocks other attempts until then. Returns those that were
 * still due, as they are now.
 */
export async function claim(
  db: Db,
  ids: readonly string[],
  at: number,
  until: number,
): Promise<DeliveriesTable[]> {
  if (ids.length === 0) return [];
  return db
    .updateTable("push_deliveries")
    .set((eb) => ({ due_at: until, tries: eb("tries", "+", 1) }))
    .where("id", "in", ids)
    .where("due_at", "<=", at)
    .returningAll()
    .execute();
}

/** Deletes the due deliveries of the same subscription, except this one, that were queued before `before`. */
export async function deleteOldOthers(
  db: Db,
  { id, subscription_id }: DeliveriesTable,
  at: number,
  before: number,
): Promise<void> {
  await db
    .deleteFrom("push_deliveries")
    .where("subscription_id", "=", subscription_id)
    .where("due_at", "<=", at)
    .where("created_at", "<", before)
    .where("id", "!=", id)
    .execute();
}

/** Postpones the other due deliveries of the subscription, untried so far: they would fail like this one. */
export async function postponeOthers(
  db: Db,
  { id, subscription_id }: DeliveriesTable,
  at: number,
  until: number,
): Promise<void> {
  await db
    .updateTable("push_deliveries")
    .set({ due_at: until })
    .where("subscription_id", "=", subscription_id)
    .where("due_at", "<=", at)
    .where("id", "!=", id)
    .execute();
}

export async function postpone(db: Db, id: string, until: number): Promise<void> {
  await db.updateTable("push_deliveries").set({ due_at: until }).where("id", "=", id).execute();
}

/** Makes deliveries postponed beyond `latest` due now. */
export async function hasten(db: Db, latest: number, now: number): Promise<void> {
  await db.updateTable("push_deliveries").set({ due_at: now }).where("due_at", ">", latest).execute();
}

export async function deleteDeliveries(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("push_deliveries").where("id", "in", ids).execute();
}
