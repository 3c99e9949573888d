// The table of answers to scheduled events; their counts are stored with the event.
import type { Db } from "../../server/database/database.ts";
import type { Attendance } from "./contract.ts";
import { addToCounts, selectEventIds } from "./store.ts";

declare module "../../server/database/tables.ts" {
  interface Tables {
    rsvps: { event_id: string; user_id: string; status: Attendance };
  }
}

/** Sets a person's answer and updates the counts. The event must be locked. */
export async function upsertRsvp(db: Db, eventId: string, userId: string, status: Attendance): Promise<void> {
  const before = (await selectRsvps(db, [eventId], userId)).get(eventId);
  if (before === status) return;
  await db
    .insertInto("rsvps")
    .values({ event_id: eventId, user_id: userId, status })
    .onConflict((conflict) => conflict.columns(["event_id", "user_id"]).doUpdateSet({ status }))
    .execute();
  if (before !== undefined) await addToCounts(db, [eventId], before, -1);
  await addToCounts(db, [eventId], status, 1);
}

/** Deletes a person's answers to the events of a server. */
export async function deleteRsvps(db: Db, serverId: string, userId: string): Promise<void> {
  const answers = await selectRsvps(db, await selectEventIds(db, serverId), userId);
  if (answers.size === 0) return;
  await db
    .deleteFrom("rsvps")
    .where("event_id", "in", [...answers.keys()])
    .where("user_id", "=", userId)
    .execute();
  for (const [status, those] of Map.groupBy(answers, ([, status]) => status)) {
    await addToCounts(
      db,
      those.map(([eventId]) => eventId),
      status,
      -1,
    );
  }
}

/** Returns this person's answers by event id. */
export async function selectRsvps(
  db: Db,
  eventIds: readonly string[],
  userId: string,
): Promise<Map<string, Attendance>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("rsvps")
    .select(["event_id", "status"])
    .where("event_id", "in", eventIds)
    .where("user_id", "=", userId)
    .execute();
  return new Map(rows.map((row) => [row.event_id, row.status]));
}
