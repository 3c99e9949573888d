// Days of date fields, and the ids that they begin with.
import { expect, test } from "bun:test";
import { newId } from "../../../../server/tokens.ts";
import { dayOf, idAt, startOf } from "./days.ts";

test("a day begins at midnight here, also on the day that loses an hour", () => {
  for (const day of ["2026-11-22", "2026-03-29", "0099-01-01"]) {
    const start = startOf(day);
    expect(start && dayOf(start)).toBe(day);
    expect(start && dayOf(new Date(start.getTime() - 1))).not.toBe(day);
  }
  expect(["", "2026-13-01", "yesterday"].map(startOf)).toEqual([undefined, undefined, undefined]);
});

test("the id of a moment is below all that are made from then on, and above those before", () => {
  const before = newId();
  const now = Date.now();
  expect(idAt(new Date(now + 1)) > before).toBe(true);
  expect(idAt(new Date(now)) <= newId()).toBe(true);
  expect(idAt(new Date(-1))).toBe("00000000-0000-7000-8000-000000000000");
});
