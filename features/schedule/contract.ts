// Scheduled events: the plans of a server, and who will attend.
import { z } from "zod";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { givenName, id, moment, momentPattern, name, text, time } from "../../protocol/shapes.ts";

export const attendance = z.enum(["going", "maybe", "no"]);

const scheduledEvent = z
  .object({
    id,
    server_id: id,
    creator_id: id,
    title: z.string(),
    description: z.string(),
    starts_at: time,
    ends_at: time.nullable(),
    channel_id: id.nullable(),
    going_count: z.int(),
    maybe_count: z.int(),
    no_count: z.int(),
    my_rsvp: attendance.nullable(),
  })
  .meta({ id: "ScheduledEvent" });

export type Attendance = z.infer<typeof attendance>;
export type ScheduledEvent = z.infer<typeof scheduledEvent>;

const since1970 = moment
  .refine((ms) => ms >= 0, "must be a time after 1970")
  .meta({ pattern: momentPattern.replace("^", "^(?=19[7-9]|[2-9])") });
/** Rules about start, end and the clock that a schema cannot express. */
const start = since1970.meta({
  description: "From 1970 to 9999, in UTC; without an end, less than a day ago",
});
const end = since1970.meta({ description: "After the start, and not past" }).nullable();

export const title = name(limits.event_title_max);
const description = text(limits.event_description_max);
const eventParams = z.object({ id });

export const listEvents = operation({
  name: "listEvents",
  method: "GET",
  path: "/servers/{id}/events",
  summary:
    "What a server plans: running and coming events by their start, then those that ended in the last week",
  caller: "account",
  lane: "read",
  params: z.object({ id }),
  answers: { 200: { description: "The events", body: z.array(scheduledEvent) } },
});

export const createEvent = operation({
  name: "createEvent",
  method: "POST",
  path: "/servers/{id}/events",
  summary: "Plan an event; without an end it counts as over a day after its start",
  caller: "account",
  lane: "write",
  params: z.object({ id }),
  body: z.object({
    title,
    description: description.nullable().optional(),
    starts_at: start,
    ends_at: end.optional(),
    channel_id: id.nullable().optional(),
  }),
  answers: { 201: { description: "The event", body: scheduledEvent } },
  errors: ["conflict"],
});

export const updateEvent = operation({
  name: "updateEvent",
  method: "PATCH",
  path: "/events/{id}",
  summary: "Change an event: one's own, or any with MANAGE_SERVER",
  caller: "account",
  lane: "write",
  params: eventParams,
  body: z.object({
    title: givenName(limits.event_title_max).optional(),
    description: description.nullable().optional(),
    starts_at: start.optional(),
    ends_at: end.optional(),
    channel_id: id.nullable().optional(),
  }),
  answers: { 200: { description: "The event as it is now", body: scheduledEvent } },
  errors: ["forbidden", "conflict"],
});

export const deleteEvent = operation({
  name: "deleteEvent",
  method: "DELETE",
  path: "/events/{id}",
  summary: "Call an event off: one's own, or any with MANAGE_SERVER",
  caller: "account",
  lane: "write",
  params: eventParams,
  answers: { 204: { description: "It is called off" } },
  errors: ["forbidden"],
});

export const setRsvp = operation({
  name: "setRsvp",
  method: "PUT",
  path: "/events/{id}/rsvp",
  summary: "Say whether one comes; the last word counts",
  caller: "account",
  lane: "write",
  params: eventParams,
  body: z.object({ status: attendance }),
  answers: { 204: { description: "It is noted" } },
  errors: ["conflict"],
});
