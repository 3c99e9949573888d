// Times, formatted in the reader's language and time zone.
import { currentLook } from "./look.ts";
import { currentLocale } from "./words.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached format with the reader's clock setting: creating one is slow, and rows need thousands. */
export function format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { hours } = currentLook();
  // The time zone is a part of the key: a format keeps the one of its creation, and readers travel.
  const key = `${currentLocale()} ${new Date().getTimezoneOffset()} ${hours} ${name}`;
  const cycle = hours && (options.hour || options.timeStyle) ? { hour12: hours === 12 } : {};
  const known = formats.get(key) ?? new Intl.DateTimeFormat(currentLocale(), { ...options, ...cycle });
  formats.set(key, known);
  return known;
}

/** "09:14": hour and minute only, because the margin has no room for "am" and "pm". */
export function clockTime(at: Date): string {
  const parts = format("clock", { hour: "2-digit", minute: "2-digit" }).formatToParts(at);
  return parts
    .filter(({ type }) => type !== "dayPeriod")
    .map(({ value }) => value)
    .join("")
    .trim();
}

/** "Saturday, 15 July 2017 at 09:14" */
export function fullTime(at: Date): string {
  return format("full", { dateStyle: "full", timeStyle: "short" }).format(at);
}

/** The parts of a day's name: "Saturday", "15", "July 2017". */
export function dayName(day: Date): { weekday: string; number: string; month: string } {
  return {
    weekday: format("weekday", { weekday: "long" }).format(day),
    number: String(day.getDate()),
    month: format("month", { month: "long", year: "numeric" }).format(day),
  };
}

/** "Saturday, 15 July 2017, 18:30–20:00" */
export function spanOf(start: Date, end: Date): string {
  return format("full", { dateStyle: "full", timeStyle: "short" }).formatRange(start, end);
}

/** "15 Jul 2017, 18:30" */
export function dateAndTime(at: Date): string {
  return format("moment", { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** "15 July 2017" */
export function dateOf(at: Date): string {
  return format("date", { dateStyle: "long" }).format(at);
}

/** "6:30 pm" or "18:30", for places with room for "am" and "pm". */
export function timeOfDay(at: Date): string {
  return format("time", { timeStyle: "short" }).format(at);
}

/** "tomorrow, 09:14", "yesterday, 09:14", "12 July, 09:14" or "12 July 2017", depending on how far from now it is. */
export function agoOf(at: Date, now = new Date()): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / dayMs);
  const clock = timeOfDay(at);
  if (days <= 1) {
    const day = new Intl.RelativeTimeFormat(currentLocale(), { numeric: "auto" }).format(-days, "day");
    return `${day}, ${clock}`;
  }
  if (at.getFullYear() !== now.getFullYear()) return dateOf(at);
  return `${format("day", { day: "numeric", month: "long" }).format(at)}, ${clock}`;
}

/** "09:14", "Yesterday", "20 Nov" or "20 Nov 2017", for a short place at the end of a row. */
export function dayOrTime(at: Date, now = new Date()): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / dayMs);
  if (days <= 0) return clockTime(at);
  if (days === 1) {
    const day = new Intl.RelativeTimeFormat(currentLocale(), { numeric: "auto" }).format(-1, "day");
    return day.charAt(0).toUpperCase() + day.slice(1);
  }
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return format(`short ${"year" in year}`, { day: "numeric", month: "short", ...year }).format(at);
}

const dayMs = 24 * 60 * 60_000;

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
