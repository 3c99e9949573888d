// A second try tells what was late from what is wrong; neither passes for it.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readResults, together } from "./results.ts";
import { deserving, knownTries, mostTries, verdict, wornOut } from "./second-try.ts";

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

const took = new Map<string, number>();

test("what failed is read from the report of the test runner, with its first line, and the file is tried again", async () => {
  const { code, results } = await resultsOf("wrong", wrong);
  expect(code).toBe(1);
  const failing = new Map([["wrong.test.ts", { count: 1, why: "expect(received).toBe(expected)" }]]);
  expect(results).toMatchObject({ passed: 1, failed: 1, failing });
  expect(deserving(results)).toEqual(["wrong.test.ts"]);
});

test("what fails twice has failed", async () => {
  const { results } = await resultsOf("wrong-again", wrong);
  const failing = new Map([["wrong-again.test.ts", { count: 1, why: "expect(received).toBe(expected)" }]]);
  const { lines } = verdict(
    { passed: 10, failed: 1, failing, took },
    results,
    ["wrong-again.test.ts"],
    "abc1234",
  );
  expect(lines).toEqual(["", "Failed twice: wrong-again.test.ts", " 10 pass", " 1 fail"]);
});

const failing = new Map([["late.test.ts", { count: 3, why: "too late" }]]);
const first = { passed: 10, failed: 3, failing, took };
const again = { passed: 5, failed: 0, failing: new Map(), took };

test("what passes alone has failed where nobody knows it for that, each test of it, and its line is told", () => {
  const { passed, failed, lines } = verdict(first, again, ["other.test.ts"], "abc1234");
  expect({ passed, failed }).toEqual({ passed: 10, failed: 3 });
  expect(lines).toEqual([
    "",
    "Failed beside others, and passed alone: late.test.ts",
    "Mend what was late, or write it down in tests/second-tries.md:",
    "| `late.test.ts` | too late | `abc1234` |",
    " 10 pass",
    " 3 fail",
  ]);
});

test("what passes alone and is known for it counts as passed", () => {
  const { passed, failed } = verdict(first, again, ["late.test.ts"], "abc1234");
  expect({ passed, failed }).toEqual({ passed: 13, failed: 0 });
});

test("a line of the list is read as a run tells it; three of one file are too many", () => {
  const lines = (count: number) =>
    Array(count).fill("| `late.test.ts` | too late: <b> | `abc1234` |").join("\n");
  expect(knownTries(lines(1))).toEqual([{ path: "late.test.ts", why: "too late: <b>", commit: "abc1234" }]);
  expect(wornOut(knownTries(lines(mostTries - 1)))).toEqual([]);
  expect(wornOut(knownTries(lines(mostTries)))).toEqual(["late.test.ts"]);
});

test("no file needs its second try again and again, and none is listed that is not there", () => {
  expect(wornOut(knownTries())).toEqual([]);
  expect(knownTries().filter(({ path }) => !existsSync(path))).toEqual([]);
});

test("where many files fail, none is tried again", () => {
  const failing = (count: number) =>
    new Map(Array.from({ length: count }, (_, i) => [`${i}.test.ts`, { count: 1, why: "" }]));
  expect(deserving({ passed: 1, failed: 9, failing: failing(9), took })).toEqual([]);
  expect(deserving({ passed: 1, failed: 8, failing: failing(8), took })).toHaveLength(8);
});

test("runs side by side are one: what each found is added up", () => {
  const other = { passed: 1, failed: 0, failing: new Map(), took: new Map([["b.test.ts", 7]]) };
  expect(together([first, other])).toEqual({ ...first, passed: 11, took: other.took });
});
