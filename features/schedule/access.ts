// Finds an event for the person who asks, and decides when an event is live, over or forgotten.
import { timeText } from "../../protocol/clock.ts";
import { full, invalidField, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { idOf } from "../../server/place.ts";
import { channelSeenBy, seenAmong } from "../channels/access.ts";
import { findMembership } from "../servers/access.ts";
import type { ScheduledEvent } from "./contract.ts";
import { selectRsvps } from "./rsvps.ts";
import { countLive, type ScheduledEventsTable, selectEvent } from "./store.ts";

/** An event without an end is over this long after its start, in milliseconds. */
const assumedMs = 24 * 3600_000;
/** How long a past event can be viewed, in milliseconds. */
const keptMs = 7 * 24 * 3600_000;

export const oldestShown = (now: number): number => now - keptMs;

export function overAt(startsAt: number, endsAt: number | null): number {
  return endsAt ?? startsAt + assumedMs;
}

/**
 * Returns the event and the caller's standing in its server; throws 404 for everybody else, and for an event over a
 * week ago.
 */
export async function findEvent(unit: UnitOfWork, userId: string, id: string) {
  const known = await selectEvent(unit.db, id);
  if (!known) throw notFound();
  const standing = await findMembership(unit, userId, known.server_id);
  // Read again under the lock that the membership lookup took.
  const event = unit.alone ? await selectEvent(unit.db, id) : known;
  if (!event || event.over_at <= oldestShown(Date.now())) throw notFound();
  return { event, standing };
}

/** The event's author and members with MANAGE_SERVER may change it. */
export function needSay(event: ScheduledEventsTable, standing: Standing): void {
  if (event.creator_id === standing.userId || holds(standing, permission.MANAGE_SERVER)) return;
  throw new Refusal("forbidden", "This needs the permission MANAGE_SERVER, or an event of your own.");
}

export function checkTimes({ starts_at, ends_at, over_at }: ScheduledEventsTable, now: number): void {
  if (ends_at !== null && ends_at <= starts_at) throw invalidField("ends_at", "must be after starts_at");
  if (over_at <= now) {
    throw invalidField(
      ends_at === null ? "starts_at" : "ends_at",
      "is past: this event would be over already",
    );
  }
}

/** Throws 400 unless the id is a channel of this server that the caller can see. */
export async function checkChannel(unit: UnitOfWork, standing: Standing, channelId: string): Promise<void> {
  const found = await channelSeenBy(unit, standing.userId, channelId);
  if (found?.channel.server_id !== idOf(standing.home)) {
    throw invalidField("channel_id", "is not a channel of this server that you can see");
  }
}

/** Throws 409 if the server has the most live events allowed. */
export async function needRoom(unit: UnitOfWork, serverId: string, now: number): Promise<void> {
  if ((await countLive(unit.db, serverId, now)) < limits.events_live_max) return;
  throw full("A server can have", limits.events_live_max, "events that are not over", "Call one off first.");
}

/** Returns events as the caller sees them: with their own answer, and with the channel only if they can see it. */
export async function toEvents(
  unit: UnitOfWork,
  standing: Standing,
  rows: readonly ScheduledEventsTable[],
): Promise<ScheduledEvent[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const own = await selectRsvps(unit.db, ids, standing.userId);
  const channelIds = rows.flatMap((row) => row.channel_id ?? []);
  const seen = await seenAmong(unit, standing, channelIds);
  return rows.map((row) => ({
    id: row.id,
    server_id: row.server_id,
    creator_id: row.creator_id,
    title: row.title,
    description: row.description,
    starts_at: timeText(row.starts_at),
    ends_at: row.ends_at === null ? null : timeText(row.ends_at),
    channel_id: row.channel_id !== null && seen.has(row.channel_id) ? row.channel_id : null,
    going_count: row.going_count,
    maybe_count: row.maybe_count,
    no_count: row.no_count,
    my_rsvp: own.get(row.id) ?? null,
  }));
}
