// Clocks that differ: the warnings about them, how often they come, and that an answer's travel time does not count.
import { expect, test } from "bun:test";
import type { Log } from "../telemetry/log.ts";
import { aheadOf, ClocksApart } from "./clocks-apart.ts";

function clocks() {
  const lines: string[] = [];
  const note = (sentence: string) => void lines.push(sentence);
  const apart = new ClocksApart({ warn: note, info: note } as unknown as Log);
  /** Simulates that this machine is this many seconds ahead, and the others so many each. */
  const beat = async (seconds: number, ...others: number[]) => {
    await apart.ask(async () => ({ at: Date.now() - seconds * 1000 }));
    apart.compare(others.map((each) => each * 1000));
    return apart.trouble;
  };
  return { lines, apart, beat };
}

test("a clock that is off is told once, and again only after it was right", async () => {
  const { lines, beat } = clocks();
  expect(await beat(0)).toBeUndefined();
  expect(await beat(4, 3)).toBeUndefined();
  const ahead =
    "this machine's clock is 600 s ahead of that of the database: let all machines keep time by NTP";
  expect(await beat(600.2)).toBe(ahead);
  expect(await beat(600.2)).toBe(ahead);
  expect(await beat(0)).toBeUndefined();
  expect(await beat(-20)).toStartWith("this machine's clock is 20 s behind that of the database");
  expect(lines).toHaveLength(3);
});

test("of others that are off, and of two that are off a little each way, every process says so", async () => {
  const { lines, beat } = clocks();
  const sentence = (s: number) =>
    `the clocks of the processes and of the database are ${s} s apart: let all machines keep time by NTP`;
  expect(await beat(0, 0, 600)).toBe(sentence(600));
  expect(await beat(0, 0, 3, -3)).toBe(sentence(6));
  expect(lines).toEqual([sentence(600)]);
});

test("the time that an answer takes does not count", () => {
  expect(aheadOf({ before: 1000, theirs: 9000, after: 20_000 })).toBe(0);
  expect(aheadOf({ before: 10_000, theirs: 9000, after: 20_000 })).toBe(1000);
  expect(aheadOf({ before: 1000, theirs: 9000, after: 2000 })).toBe(-7000);
});
