// Tests of browsers wait with `await`, and expect what came of it: an expectation that waits by itself turns the order round.
import { expect, test } from "bun:test";
import { codeOf, type SourceFile, sourceFiles } from "./tree.ts";

/**
 * `expect(…).resolves`, `.rejects` and `expect(async …)` do not wait as others do: Bun runs its loop within them, and what
 * is put off there comes before what waited already. A browser is driven by messages in their order; now and then
 * one was heard too early, and "Cannot find parent object" ended a whole file of journeys.
 */
function waitsWithin(file: SourceFile): boolean {
  return /\.(resolves|rejects)\s*(\.|$)|\bexpect\(\s*async\b/m.test(codeOf(file));
}

test("no expectation runs the loop within itself where a browser is driven", () => {
  const tests = sourceFiles("tests/browser", "tests/house", "tests/doubles");
  expect(tests.length).toBeGreaterThan(60);
  expect(tests.filter(waitsWithin).map(({ path }) => path)).toEqual([]);
});

test("one that does is found", () => {
  const found = ["await expect(late).resolves.toBe(1);", "expect(async () => {}).toThrow();"];
  for (const text of found)
    expect(waitsWithin({ path: "a.test.ts", text, imports: [], loads: [] })).toBe(true);
});
