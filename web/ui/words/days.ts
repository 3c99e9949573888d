// Days and moments as lists say them: today by the clock, the others by their day.
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

/** "Monday, 18:30": what the clocks show there, or without a zone where the reader is. */
export function weekdayAndTime(at: Date, timeZone?: string): string {
  const options = { weekday: "long", hour: "numeric", minute: "2-digit" } as const;
  return format(`weekday ${timeZone}`, { ...options, ...(timeZone && { timeZone }) }).format(at);
}
