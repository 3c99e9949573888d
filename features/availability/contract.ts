// Availability: the hours of the week in which a person can be reached, in their own time zone.
import { z } from "zod";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id, time } from "../../protocol/shapes.ts";

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day from 00:00 to 23:59");

export const window = z
  .object({
    day: z.int().min(0).max(6).meta({ description: "0 is Sunday" }),
    start: clock,
    end: clock.meta({ description: "Not after start: on the next day" }),
  })
  .meta({ id: "AvailabilityWindow" });

/** A time zone, normalised to the spelling in the list of zones. */
const timeZone = z
  .string()
  .max(64)
  .transform((name, context) => {
    const spelled = /^[A-Za-z]/.test(name) ? spelling(name) : undefined;
    if (spelled === undefined) context.addIssue("must be a time zone like Europe/Berlin");
    return spelled ?? z.NEVER;
  })
  .meta({ pattern: "^[A-Za-z]", description: "A name of the IANA list", example: "Europe/Berlin" });

const settings = {
  windows: z.array(window).max(limits.availability_windows_max),
  dnd_outside: z.boolean().meta({ description: "Do-not-disturb outside the windows" }),
};

export const availability = z
  .object({
    time_zone: z.string(),
    ...settings,
    available_now: z.boolean(),
    next_change_at: time.nullable(),
  })
  .meta({ id: "Availability" });

export type Window = z.infer<typeof window>;
export type Availability = z.infer<typeof availability>;

const answers = { 200: { description: "The hours, and whether it is one now", body: availability } };

export const getMyAvailability = operation({
  name: "getMyAvailability",
  method: "GET",
  path: "/auth/me/availability",
  summary: "When the caller can be reached; without windows always",
  caller: "person",
  lane: "read",
  answers,
});

export const setAvailability = operation({
  name: "setAvailability",
  method: "PUT",
  path: "/auth/me/availability",
  summary: "Say when the caller can be reached",
  caller: "person",
  lane: "own",
  cost: { worst: 2 },
  body: z.object({ time_zone: timeZone, ...settings, dnd_outside: settings.dnd_outside.default(false) }),
  answers,
});

export const getAvailability = operation({
  name: "getAvailability",
  method: "GET",
  path: "/users/{id}/availability",
  summary: "When a person who shares a server with the caller can be reached",
  caller: "account",
  lane: "read",
  params: z.object({ id }),
  answers,
});

function spelling(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
