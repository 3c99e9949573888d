// Days and moments in lists: today as a time, other days as a date.
import { isSameDay } from "./calendar.ts";
import { format, timeOfDay } from "./times.ts";

/** "09:14" today, "12 July" in this year, else "12 July 2017". */
export function moment(at: Date, now = new Date()): string {
  return isSameDay(at, now) ? timeOfDay(at) : day(at, now);
}

/** "12 July" in this year, else "12 July 2017". */
export function day(at: Date, now = new Date()): string {
  const isThisYear = at.getFullYear() === now.getFullYear();
  if (isThisYear) return format("day", { day: "numeric", month: "long" }).format(at);
  return format("day of year", { day: "numeric", month: "long", year: "numeric" }).format(at);
}

/** "Monday, 18:30" in the given time zone, or without one in the reader's. */
export function weekdayAndTime(at: Date, timeZone?: string): string {
  const options = { weekday: "long", hour: "numeric", minute: "2-digit" } as const;
  return format(`weekday ${timeZone}`, { ...options, ...(timeZone && { timeZone }) }).format(at);
}
