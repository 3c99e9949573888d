// Tests wait for what happens, and for browsers with `await`: an expectation that waits by itself turns the order round.
import { expect, test } from "bun:test";
import { codeOf, isTestFile, type SourceFile, sourceFiles, sourceFolders } from "./tree.ts";

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

/** How soon something is depends on what else the machine does. What must be soon is a figure of the bench. */
function assertsSpeed(file: SourceFile): boolean {
  const since =
    /expect\(\s*(performance|Date)\.now\(\) - (started?|begu?a?n|from|again)\w*,?\s*\)\s*\.toBe(LessThan|Within)/;
  return since.test(codeOf(file));
}

test("no expectation is that something took little time", () => {
  const tests = sourceFiles(...sourceFolders).filter(({ path }) => isTestFile(path));
  expect(tests.length).toBeGreaterThan(400);
  expect(tests.filter(assertsSpeed).map(({ path }) => path)).toEqual([]);
});

test("one that is, is found", () => {
  const sinces = ["performance.now() - started", "Date.now() - begun"];
  const found = sinces.flatMap((since) => [
    `expect(${since}).toBeLessThan(1000);`,
    `expect(${since}).toBeWithin(900, 5000);`,
  ]);
  for (const text of found)
    expect(assertsSpeed({ path: "a.test.ts", text, imports: [], loads: [] })).toBe(true);
  const slow = "expect(performance.now() - started).toBeGreaterThan(4900);";
  expect(assertsSpeed({ path: "a.test.ts", text: slow, imports: [], loads: [] })).toBe(false);
});
