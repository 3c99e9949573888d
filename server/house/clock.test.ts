// When the machine's clock is trusted: not while it is days off, until it has run for an hour like that. Also the time
// that is recorded for the next start.
import { expect, test } from "bun:test";
import pino from "pino";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { forget } from "../database/instance.ts";
import { madeAt, newId } from "../tokens.ts";
import { Clock, noteTime, recallTime } from "./clock.ts";

const [hour, day] = [3600_000, 24 * 3600_000];
const start = Date.UTC(2026, 5, 1);

/** A server that was alive at `start` and whose clock is `off` by milliseconds, and the lines that it logged. */
function clockOff(off: number, lastAliveAt: number | null = start) {
  const moment = { at: start + off, steady: 5000 };
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const clock = new Clock(log, lastAliveAt ?? undefined, () => ({ ...moment }));
  return {
    clock,
    lines,
    run(ms: number) {
      moment.at += ms;
      moment.steady += ms;
    },
    leap(ms: number) {
      moment.at += ms;
    },
  };
}

test("after a night of sleep, or in a new house, it is believed at once", () => {
  for (const { clock, lines } of [clockOff(0.5 * day), clockOff(40 * day, null)]) {
    expect([clock.mayDelete(), clock.isBelieved, lines.length]).toEqual([true, true, 0]);
  }
});

test("days past the last sign of life nothing may be deleted, until it has run for an hour", () => {
  const { clock, lines, run } = clockOff(40 * day);
  expect([clock.mayDelete(), clock.isBelieved]).toEqual([false, false]);
  run(hour - 1);
  expect(clock.mayDelete()).toBe(false);
  expect(lines).toEqual([expect.stringContaining("nothing is deleted")]);
  run(1);
  expect([clock.mayDelete(), clock.isBelieved]).toEqual([true, true]);
  expect(lines.slice(1)).toEqual([expect.stringContaining("is believed")]);
});

test("a leap while it runs is doubted for an hour from then on, and forgotten when it is taken back", () => {
  const { clock, leap, run } = clockOff(0);
  run(100 * day);
  expect(clock.mayDelete()).toBe(true);
  leap(40 * day);
  expect(clock.mayDelete()).toBe(false);
  run(hour / 2);
  leap(40 * day);
  expect(clock.mayDelete()).toBe(false);
  run(hour / 2);
  expect(clock.mayDelete()).toBe(false);
  leap(-80 * day);
  expect([clock.mayDelete(), clock.isBelieved]).toEqual([true, true]);
});

test("days behind, times are told apart from later ones that were believed; what is old by it is old for sure", () => {
  const { clock, run } = clockOff(-40 * day);
  expect([clock.isBehind(start - 40 * day), clock.isBehind(start)]).toEqual([true, false]);
  expect([clock.mayDelete(), clock.isBelieved]).toEqual([true, false]);
  run(hour);
  expect(clock.isBelieved).toBe(true);
  expect(clock.isBehind(start - 40 * day + hour)).toBe(false);
});

onOneProcess("the time that is written down for the next start", (house) => {
  test("is that of a clock that is believed; how far the ids have come is written down in any case", async () => {
    await house().stopJobs();
    const { database, clock, log } = house().running.house;
    const [begun, before] = [Date.now(), newId()];
    await noteTime(database, clock);
    const known = await recallTime(database, undefined);
    expect(known.aliveAt).toBeWithin(begun, Date.now() + 1);
    expect(known.lastId! > before).toBe(true);
    await noteTime(database, new Clock(log, Date.now() + 40 * day));
    const later = await recallTime(database, undefined);
    expect(later.aliveAt).toBe(known.aliveAt);
    expect(later.lastId! > known.lastId!).toBe(true);
  });

  test("is that of the highest id where none was written down, and unknown in a new house", async () => {
    await house().stopJobs();
    const { database } = house().running.house;
    await database.transaction((db) => forget(db, "alive_at"));
    const highest = newId();
    expect((await recallTime(database, highest)).aliveAt).toBe(madeAt(highest));
    expect((await recallTime(database, undefined)).aliveAt).toBeUndefined();
  });
});
