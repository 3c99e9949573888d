// Days of date fields.
import { afterEach, expect, test } from "bun:test";
import { dayOf, startOf } from "./days.ts";

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
afterEach(() => {
  process.env.TZ = timeZone;
});

test("a day begins with its first moment here, also one that has no midnight", () => {
  process.env.TZ = "America/Santiago";
  // Clocks go from 23:59 to 01:00.
  expect(startOf("2026-09-06")?.getHours()).toBe(1);
  for (const day of ["2026-11-22", "2026-09-06", "0099-01-01"]) {
    const start = startOf(day);
    expect(start && dayOf(start)).toBe(day);
    expect(start && dayOf(new Date(start.getTime() - 1))).not.toBe(day);
  }
  expect(["", "2026-13-01", "yesterday"].map(startOf)).toEqual([undefined, undefined, undefined]);
});
