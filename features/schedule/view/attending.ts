// An event after the reader's answer, before the server sends the new counts.
import type { Attendance, ScheduledEvent } from "../contract.ts";

const counted = { going: "going_count", maybe: "maybe_count", no: "no_count" } as const;

export function attended(event: ScheduledEvent, status: Attendance | null): ScheduledEvent {
  const { my_rsvp } = event;
  if (my_rsvp === status) return event;
  const after = { ...event, my_rsvp: status };
  if (my_rsvp) after[counted[my_rsvp]]--;
  if (status) after[counted[status]]++;
  return after;
}

/** An event without an end is over this long after its start, as on the server. In milliseconds. */
const assumedMs = 24 * 3600_000;

export function isOver({ starts_at, ends_at }: ScheduledEvent, now: number): boolean {
  return (ends_at === null ? Date.parse(starts_at) + assumedMs : Date.parse(ends_at)) <= now;
}
