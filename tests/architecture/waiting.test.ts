// Tests wait for events, and for browsers by `await`: an expectation that waits by itself changes the order of events.
import { expect, test } from "bun:test";
import { codeOf, isTestFile, type SourceFile, sourceFiles, sourceFolders } from "./tree.ts";

/**
 * `expect(…).resolves`, `.rejects` and `expect(async …)` wait differently: Bun runs a nested event loop, in which newly
 * queued callbacks come before older ones. A browser is driven by messages in order; now and then one was handled too
 * early, and "Cannot find parent object" ended a whole file of browser tests.
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

/**
 * Speed depends on the load of the machine, so the bench measures it. Tests may only assert that something took long
 * enough.
 */
function assertsSpeed(file: SourceFile): boolean {
  const code = codeOf(file);
  const since = String.raw`(?:performance|Date)\.now\(\)\s*-\s*(?:(?:started|beg[aiu]n|from|again|before)\w*|since\b)`;
  const named = [...code.matchAll(new RegExp(String.raw`\b(?:const|let)\s+(\w+)\s*=\s*${since}`, "g"))];
  const readings = [since, ...named.map(([, name]) => String.raw`\b${name}\b`)].join("|");
  const bounded = new RegExp(
    String.raw`expect\(\s*(?:${readings}),?\s*\)\s*\.to(?:BeLess|BeWithin|BeCloseTo)`,
  );
  return bounded.test(code);
}

const tests = sourceFiles(...sourceFolders).filter(({ path }) => isTestFile(path));
const made = (text: string): SourceFile => ({ path: "a.test.ts", text, imports: [], loads: [] });

test("no expectation is that something took little time", () => {
  expect(tests.length).toBeGreaterThan(400);
  expect(tests.filter(assertsSpeed).map(({ path }) => path)).toEqual([]);
});

test("one that is, is found", () => {
  const sinces = ["performance.now() - started", "Date.now() - begun"];
  const found = sinces.flatMap((since) => [
    `expect(${since}).toBeLessThan(1000);`,
    `expect(${since}).toBeWithin(900, 5000);`,
    `const tookMs = ${since};\nexpect(tookMs).toBeLessThanOrEqual(5000);`,
  ]);
  for (const text of found) expect(assertsSpeed(made(text))).toBe(true);
  const slow = "expect(performance.now() - started).toBeGreaterThan(4900);";
  expect(assertsSpeed(made(slow))).toBe(false);
});

/** Milliseconds. Waits within a test time out first, and say what they waited for. */
const shortestLimitMs = 300_000;

function shortLimits(file: SourceFile): number[] {
  const limits = codeOf(file).matchAll(/^\s*\}, (\d[\d_]*)\);$/gm);
  return Array.from(limits, ([, ms = ""]) => Number(ms.replaceAll("_", ""))).filter(
    // Below a second it is the delay of a timer.
    (ms) => ms >= 1000 && ms < shortestLimitMs,
  );
}

test("no test has a limit below what its waiters take to give up", () => {
  const short = tests.map((file) => ({ path: file.path, limits: shortLimits(file) }));
  expect(short.filter(({ limits }) => limits.length > 0)).toEqual([]);
  expect(shortLimits(made("test('a', () => {\n}, 20_000);\n"))).toEqual([20_000]);
});
