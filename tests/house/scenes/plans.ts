// Scheduled events in tests: created in Olga's server, listed, answered, and ended before their time.
import type { ScheduledEvent } from "../../../features/schedule/contract.ts";
import type { TestHouse } from "../open/engines.ts";
import { homeForEach } from "./home.ts";

export const hour = 3600_000;
export const day = 24 * hour;

export function inTime(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

/** Bob is the default caller. */
export function plansForEach(house: () => TestHouse) {
  const stage = homeForEach(house);
  return {
    stage,
    plan: (more: Record<string, unknown> = {}, by = stage.bob) =>
      by.post<ScheduledEvent>(`/servers/${stage.home.id}/events`, {
        title: "Tea",
        starts_at: inTime(hour),
        ...more,
      }),
    list: async (by = stage.bob) => (await by.get<ScheduledEvent[]>(`/servers/${stage.home.id}/events`)).body,
    answer: (id: string, status: string, by = stage.bob) => by.put(`/events/${id}/rsvp`, { status }),
    letPass: (id: string, ms: number) => letPass(house(), id, ms),
  };
}

/** Moves the event's times into the past, as if time had passed. */
async function letPass({ running }: TestHouse, id: string, ms: number): Promise<void> {
  await running.house.write(async ({ db }) => {
    const row = db.selectFrom("scheduled_events").selectAll().where("id", "=", id);
    const { starts_at, ends_at, over_at } = await row.executeTakeFirstOrThrow();
    const changes = {
      starts_at: starts_at - ms,
      ends_at: ends_at === null ? null : ends_at - ms,
      over_at: over_at - ms,
    };
    await db.updateTable("scheduled_events").set(changes).where("id", "=", id).execute();
  });
}
