// The table of who means to come to which scheduled event.
import type { Db } from "../../server/database/database.ts";
import type { Attendance } from "./contract.ts";
import { eventIdsOf } from "./store.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    rsvps: { event_id: string; user_id: string; status: Attendance };
  }
}

export async function upsertRsvp(db: Db, eventId: string, userId: string, status: Attendance): Promise<void> {
  await db
    .insertInto("rsvps")
    .values({ event_id: eventId, user_id: userId, status })
    .onConflict((conflict) => conflict.columns(["event_id", "user_id"]).doUpdateSet({ status }))
    .execute();
}

export async function deleteRsvps(db: Db, serverId: string, userId: string): Promise<void> {
  await db
    .deleteFrom("rsvps")
    .where("user_id", "=", userId)
    .where("event_id", "in", eventIdsOf(db, serverId))
    .execute();
}

/** How many said what, event by event. */
export function countRsvps(db: Db, eventIds: readonly string[]) {
  return db
    .selectFrom("rsvps")
    .select(["event_id", "status"])
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("event_id", "in", eventIds)
    .groupBy(["event_id", "status"])
    .execute();
}

export function selectRsvps(db: Db, eventIds: readonly string[], userId: string) {
  return db
    .selectFrom("rsvps")
    .select(["event_id", "status"])
    .where("event_id", "in", eventIds)
    .where("user_id", "=", userId)
    .execute();
}
