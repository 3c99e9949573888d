// The order of a week's windows, and the window offered next.
import { expect, test } from "bun:test";
import { inOrder, nextWindow, timeZones, workingWeek } from "./week.ts";

test("the week begins on Monday, and Sunday is its end", () => {
  const sunday = { day: 0, start: "10:00", end: "12:00" };
  const late = { day: 1, start: "18:00", end: "20:00" };
  const early = { day: 1, start: "08:00", end: "10:00" };
  expect(inOrder([sunday, late, early])).toEqual([early, late, sunday]);
});

test("what is added next is the day after the last, at the same hours", () => {
  expect(nextWindow([])).toEqual({ day: 1, start: "09:00", end: "17:00" });
  expect(nextWindow(workingWeek)).toEqual({ day: 6, start: "09:00", end: "17:00" });
  expect(nextWindow([{ day: 6, start: "20:00", end: "02:00" }])).toEqual({
    day: 0,
    start: "20:00",
    end: "02:00",
  });
});

test("a zone that this browser does not list is among the choices when it is the chosen one", () => {
  expect(timeZones("Europe/Kiev")).toContain("Europe/Kiev");
  expect(timeZones("UTC").filter((zone) => zone === "UTC")).toHaveLength(1);
});
