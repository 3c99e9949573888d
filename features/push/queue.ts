// The durable queue: mentions (messages with some that are still to be fanned out) and deliveries (one for each browser).
import type { Migration } from "kysely";
import type { Db } from "../../server/database/database.ts";
import { prepared } from "../../server/database/prepared.ts";

interface MentionsTable {
  message_id: string;
  /** How far a mention of many has been fanned out: the last member's id, in the order of ids. Null: not begun. */
  fanned_out_to: string | null;
}

export interface DeliveriesTable {
  id: string;
  message_id: string;
  /** The person who is mentioned; the subscription may have become another person's meanwhile. */
  user_id: string;
  subscription_id: string;
  tries: number;
  /** During a try: when another try may begin, in case the process died in this one. */
  due_at: number;
  created_at: number;
}

declare module "../../server/database/tables.ts" {
  interface Tables {
    push_mentions: MentionsTable;
    push_mentions_of_many: { sender_id: string; channel_id: string; mentioned_at: number };
    push_deliveries: DeliveriesTable;
  }
}

export const queueMigrations: Record<string, Migration> = {
  "0036_push_mentions": {
    async up(db) {
      await db.schema.alterTable("push_calls").renameTo("push_mentions").execute();
      await db.schema.alterTable("push_mentions").renameColumn("spread_to", "fanned_out_to").execute();
      await db.schema.alterTable("push_calls_to_many").renameTo("push_mentions_of_many").execute();
      await db.schema.alterTable("push_mentions_of_many").renameColumn("called_at", "mentioned_at").execute();
    },
  },
};

const selectAnyMention = prepared((db) => db.selectFrom("push_mentions").select("message_id").limit(1));

export async function areMentionsWaiting(db: Db): Promise<boolean> {
  return (await selectAnyMention(db, {})).length > 0;
}

/** Ids of the oldest messages whose mentions have not been fanned out yet. */
export async function selectNewMentions(db: Db, limit: number): Promise<string[]> {
  const mentions = await db
    .selectFrom("push_mentions")
    .select("message_id")
    .where("fanned_out_to", "is", null)
    .orderBy("message_id")
    .limit(limit)
    .execute();
  return mentions.map((mention) => mention.message_id);
}

/** The oldest mention of many that is partly fanned out. */
export async function selectOldestBegun(
  db: Db,
): Promise<{ message_id: string; fanned_out_to: string } | undefined> {
  return db
    .selectFrom("push_mentions")
    .select(["message_id", "fanned_out_to"])
    .where("fanned_out_to", "is not", null)
    .$narrowType<{ fanned_out_to: string }>()
    .orderBy("message_id")
    .limit(1)
    .executeTakeFirst();
}

export async function moveMentions(db: Db, ids: readonly string[], fannedOutTo: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("push_mentions")
    .set({ fanned_out_to: fannedOutTo })
    .where("message_id", "in", ids)
    .execute();
}

export async function deleteMentions(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("push_mentions").where("message_id", "in", ids).execute();
}

/** A sender may mention many in a channel once within this time. */
const pauseMs = 60_000;

/** Whether the sender may mention many at this time; takes the turn if so. */
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

/** Deliveries that are due, the longest due first, without those to busy people. */
export function selectDue(
  db: Db,
  at: number,
  busy: readonly string[],
  limit: number,
): Promise<DeliveriesTable[]> {
  return db
    .selectFrom("push_deliveries")
    .selectAll()
    .where("due_at", "<=", at)
    .$if(busy.length > 0, (query) => query.where("user_id", "not in", busy))
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Keeps other tries away from these deliveries until then. */
export async function claim(db: Db, ids: readonly string[], until: number): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("push_deliveries")
    .set((eb) => ({ due_at: until, tries: eb("tries", "+", 1) }))
    .where("id", "in", ids)
    .execute();
}

export async function postpone(db: Db, id: string, until: number): Promise<void> {
  await db.updateTable("push_deliveries").set({ due_at: until }).where("id", "=", id).execute();
}

/** Makes deliveries due now that are put off beyond `latest`. */
export async function hasten(db: Db, latest: number, now: number): Promise<void> {
  await db.updateTable("push_deliveries").set({ due_at: now }).where("due_at", ">", latest).execute();
}

export async function deleteDelivery(db: Db, id: string): Promise<void> {
  await db.deleteFrom("push_deliveries").where("id", "=", id).execute();
}
