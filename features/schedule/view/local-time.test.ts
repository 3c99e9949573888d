// Times of events in the reader's time zone: a field returns the value that it shows.
import { expect, test } from "bun:test";
import { firstGuess, localText, momentOf } from "./local-time.ts";

test("a moment survives the way through a field, to the minute", () => {
  for (const text of ["2026-11-22T18:30", "2027-03-28T12:05", "0999-01-01T00:00"]) {
    const moment = momentOf(text);
    expect(moment).toEndWith("Z");
    expect(localText(new Date(moment ?? ""))).toBe(text);
  }
});

test("no text and no time are no moment", () => {
  expect(momentOf("")).toBeUndefined();
  expect(momentOf("soon")).toBeUndefined();
});

test("the first guess is a full hour, about a day away", () => {
  const now = new Date("2026-11-22T18:42:31Z");
  const guess = firstGuess(now);
  expect([guess.getMinutes(), guess.getSeconds()]).toEqual([0, 0]);
  const hours = (guess.getTime() - now.getTime()) / 3600_000;
  expect(hours).toBeGreaterThan(24);
  expect(hours).toBeLessThanOrEqual(25);
});
