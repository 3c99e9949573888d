// The durable queue: calls (messages whose mentions are still to be spread) and deliveries (one for one browser).
import type { Db } from "../../server/database/database.ts";
import { prepared } from "../../server/database/prepared.ts";

interface CallsTable {
  message_id: string;
  /** Of a call to many: the member whom the spreading has come to, in the order of ids. Null: not begun. */
  spread_to: string | null;
}

export interface DeliveriesTable {
  id: string;
  message_id: string;
  /** Who is mentioned; the subscription may have become another's meanwhile. */
  user_id: string;
  subscription_id: string;
  tries: number;
  /** While it is being sent: when somebody else may take it up, because the sender did not live to the end. */
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

/** Ids of the oldest messages that have not been looked at yet. */
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

/** One of those to many that have begun. */
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

/** One call to many of a sender in a channel within this time. */
const pauseMs = 60_000;

/** Whether the sender may call many at this time; takes the turn if so. */
export async function takeTurn(db: Db, senderId: string, channelId: string, at: number): Promise<boolean> {
  // What is older decides nothing any more; what is later is of a clock that was ahead.
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

/** Those that are due and whose people are not busy, the longest due first. */
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

/** Nobody else takes them up until then. */
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

/** Makes those due now that are put off beyond `latest`. */
export async function hasten(db: Db, latest: number, now: number): Promise<void> {
  await db.updateTable("push_deliveries").set({ due_at: now }).where("due_at", ">", latest).execute();
}

export async function deleteDelivery(db: Db, id: string): Promise<void> {
  await db.deleteFrom("push_deliveries").where("id", "=", id).execute();
}
