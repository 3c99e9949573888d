// The durable queue: calls (messages whose mentions are still to be spread) and deliveries (one for each browser).
import type { Db } from "../../server/database/database.ts";
import { prepared } from "../../server/database/prepared.ts";

interface CallsTable {
  message_id: string;
  /** How far a call to many has been spread: the last member's id, in the order of ids. Null: not begun. */
  spread_to: string | null;
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
    push_calls: CallsTable;
    push_calls_to_many: { sender_id: string; channel_id: string; called_at: number };
    push_deliveries: DeliveriesTable;
  }
}

const selectAnyCall = prepared((db) => db.selectFrom("push_calls").select("message_id").limit(1));

export async function isCalled(db: Db): Promise<boolean> {
  return (await selectAnyCall(db, {})).length > 0;
}

/** Ids of the oldest messages that have not been spread yet. */
export async function selectNewCalls(db: Db, limit: number): Promise<string[]> {
  const calls = await db
    .selectFrom("push_calls")
    .select("message_id")
    .where("spread_to", "is", null)
    .orderBy("message_id")
    .limit(limit)
    .execute();
  return calls.map((call) => call.message_id);
}

/** The oldest call to many that is partly spread. */
export async function selectOldestBegun(
  db: Db,
): Promise<{ message_id: string; spread_to: string } | undefined> {
  return db
    .selectFrom("push_calls")
    .select(["message_id", "spread_to"])
    .where("spread_to", "is not", null)
    .$narrowType<{ spread_to: string }>()
    .orderBy("message_id")
    .limit(1)
    .executeTakeFirst();
}

export async function moveCalls(db: Db, ids: readonly string[], spreadTo: string): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable("push_calls").set({ spread_to: spreadTo }).where("message_id", "in", ids).execute();
}

export async function deleteCalls(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("push_calls").where("message_id", "in", ids).execute();
}

/** A sender may call many in a channel once within this time. */
const pauseMs = 60_000;

/** Whether the sender may call many at this time; takes the turn if so. */
export async function takeTurn(db: Db, senderId: string, channelId: string, at: number): Promise<boolean> {
  // Older turns have expired; later ones were written by a clock that was ahead.
  await db
    .deleteFrom("push_calls_to_many")
    .where((eb) => eb.not(eb.between("called_at", at - pauseMs + 1, at + pauseMs)))
    .execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("push_calls_to_many")
    .values({ sender_id: senderId, channel_id: channelId, called_at: at })
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
