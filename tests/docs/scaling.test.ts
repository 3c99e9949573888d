// The tables of docs/scaling.md are computed from measured coefficients, and support the statements in its text.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readCoefficients } from "../../bench/capacity/coefficients.ts";
import { largestServer, needOf } from "../../bench/capacity/model.ts";
import { scalingDocument, scalingTables, withTables } from "../../bench/capacity/tables.ts";

const measured = readCoefficients();

test("the document's tables are those of today's coefficients (npx bun bench/capacity/tables.ts writes them)", () => {
  const text = readFileSync(scalingDocument, "utf8");
  expect(withTables(text, scalingTables(measured))).toBe(text);
});

test("every coefficient was measured", () => {
  const { machine, ...figures } = measured;
  expect(machine).not.toBe("");
  for (const [name, value] of Object.entries(figures)) {
    expect(typeof value, name).toBe("number");
    expect(value, name).toBeGreaterThan(0);
  }
});

test("a hundred people need one process and no Redis", () => {
  const need = needOf(100, measured);
  expect([need.processes, need.redisShards, need.postgresNodes]).toEqual([1, 0, 1]);
  expect(need.crossingsOfPost).toBe(0);
});

test("more people need no less of anything", () => {
  const needs = [100, 10_000, 1_000_000, 100_000_000].map((people) => needOf(people, measured));
  for (const name of ["processes", "postgresNodes", "redisShards", "messagesGibPerYear"] as const) {
    const values = needs.map((need) => need[name]);
    expect(values).toEqual(values.toSorted((one, other) => one - other));
  }
});

test("a process is never more than half busy, and has no more sockets than it may", () => {
  for (const people of [10_000, 1_000_000, 100_000_000]) {
    const need = needOf(people, measured);
    const cores = Object.values(need.cores).reduce((sum, each) => sum + each, 0);
    expect(cores / need.processes).toBeLessThanOrEqual(0.5);
    expect(need.connected / need.processes).toBeLessThanOrEqual(20_000);
  }
});

test("what an event costs the largest server grows with those who are connected, and each process has its part", () => {
  const [small, large] = [largestServer(100_000, measured), largestServer(1_000_000, measured)];
  expect(large.coreSecondsOfEvent / small.coreSecondsOfEvent).toBeCloseTo(10, 0);
  expect(large.secondsOfEachProcess).toBeLessThanOrEqual(small.secondsOfEachProcess * 1.01);
});
