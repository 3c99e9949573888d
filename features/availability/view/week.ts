// The days of a week and the zones of the world, in the reader's language.
import { currentLocale } from "../../../web/ui/words/words.ts";
import type { Window } from "../contract.ts";

/** A Sunday, from which the days of windows are counted. */
const sunday = Date.UTC(2017, 6, 16, 12);
const dayMs = 24 * 60 * 60_000;

/** Returns the name of a day: "Monday" for 1. */
export function dayNameOf(day: number): string {
  const format = new Intl.DateTimeFormat(currentLocale(), { weekday: "long", timeZone: "UTC" });
  return format.format(new Date(sunday + day * dayMs));
}

/** Monday first, as in the languages that the page speaks. */
export const daysOfWeek = [1, 2, 3, 4, 5, 6, 0];

export function inOrder(windows: readonly Window[]): Window[] {
  const place = ({ day }: Window) => daysOfWeek.indexOf(day);
  return windows.toSorted((a, b) => place(a) - place(b) || a.start.localeCompare(b.start));
}

/** The hours of an office: Monday to Friday. */
export const workingWeek: readonly Window[] = [1, 2, 3, 4, 5].map((day) => ({
  day,
  start: "09:00",
  end: "17:00",
}));

/** The next hours to be added: those of the last row, a day later. */
export function nextWindow(windows: readonly Window[]): Window {
  const last = windows.at(-1);
  return last ? { ...last, day: (last.day + 1) % 7 } : { day: 1, start: "09:00", end: "17:00" };
}

export function timeZones(also: string): string[] {
  return [...new Set([also, "UTC", ...Intl.supportedValuesOf("timeZone")])].sort();
}

export function zoneOfDevice(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
