// Days of date fields.
import { expect, test } from "bun:test";
import { dayOf, startOf } from "./days.ts";

test("a day begins at midnight here, also on the day that loses an hour", () => {
  for (const day of ["2026-11-22", "2026-03-29", "0099-01-01"]) {
    const start = startOf(day);
    expect(start && dayOf(start)).toBe(day);
    expect(start && dayOf(new Date(start.getTime() - 1))).not.toBe(day);
  }
  expect(["", "2026-13-01", "yesterday"].map(startOf)).toEqual([undefined, undefined, undefined]);
});
