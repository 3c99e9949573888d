// A second try is for what was late, not for what is wrong.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closingLines, deserving, readResults } from "./second-try.ts";

const folder = mkdtempSync(join(tmpdir(), "hearth-second-try-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lets the test runner itself write the report of such a file. */
async function resultsOf(name: string, code: string) {
  writeFileSync(
    join(folder, `${name}.test.ts`),
    `import { describe, expect, test } from "bun:test";\n${code}`,
  );
  const report = join(folder, `${name}.xml`);
  const running = Bun.spawn(
    [process.execPath, "test", `./${name}.test.ts`, "--reporter=junit", `--reporter-outfile=${report}`],
    { cwd: folder, stdout: "ignore", stderr: "ignore" },
  );
  return { code: await running.exited, results: readResults(report) };
}

const wrong = `
  test("is right", () => {});
  test.skip("is left out", () => {});
  describe("a part", () => { test("is wrong", () => { expect(1).toBe(2); }); });`;

test("what failed is read from the report of the test runner, and the file is tried again", async () => {
  const { code, results } = await resultsOf("wrong", wrong);
  expect(code).toBe(1);
  expect(results).toEqual({ passed: 1, failed: 1, failing: ["wrong.test.ts"] });
  expect(deserving(results)).toEqual(["wrong.test.ts"]);
});

test("what fails twice has failed", async () => {
  const { results } = await resultsOf("wrong-again", wrong);
  const lines = closingLines({ passed: 10, failed: 1, failing: ["wrong-again.test.ts"] }, results).split(
    "\n",
  );
  expect(lines).toEqual(["", "Failed twice: wrong-again.test.ts", " 10 pass", " 1 fail"]);
});

test("what passes alone is named, and counts as passed", async () => {
  const { code, results } = await resultsOf("late", 'test("is right", () => {});');
  expect(code).toBe(0);
  const first = { passed: 10, failed: 1, failing: ["late.test.ts"] };
  expect(closingLines(first, results).split("\n")).toEqual([
    "",
    "Failed beside others, and passed alone: late.test.ts",
    " 11 pass",
    " 0 fail",
  ]);
});

test("where many files fail, none is tried again", () => {
  const failing = Array.from({ length: 9 }, (_, i) => `${i}.test.ts`);
  expect(deserving({ passed: 1, failed: 9, failing })).toEqual([]);
  expect(deserving({ passed: 1, failed: 8, failing: failing.slice(1) })).toHaveLength(8);
});
