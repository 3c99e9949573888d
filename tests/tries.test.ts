// A file that failed beside others is retried by itself; three failures in a row count, and no result is lost.
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "./house/machine/folder.ts";
import { errorsBetween, failing, type Results, readReport, resultsOf, total } from "./results.ts";
import { tryAgain } from "./tries.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const header = 'import { describe, expect, test } from "bun:test";\n';
const files: Record<string, string> = {
  "right.test.ts": `test("is right", () => {}); test.skip("is left out", () => {});`,
  "wrong.test.ts": `
    test("is right", () => {});
    describe("a <part>", () => { test("is 'wrong' & more", () => { expect(1).toBe(2); }); });`,
  "crashing.test.ts": `test("crashes", async () => { process.kill(process.pid, "SIGKILL"); await Bun.sleep(60_000); });`,
  "unloadable.test.ts": `import "./nothing.ts"; test("is never run", () => {});`,
  "empty.test.ts": "",
  // Fails until it has been run as often as its name says.
  "second.test.ts": countingTo(2),
  "third.test.ts": countingTo(3),
};

function countingTo(most: number): string {
  return `
    import { appendFileSync, readFileSync } from "node:fs";
    test("comes late", () => {
      appendFileSync("count-${most}", ".");
      expect(readFileSync("count-${most}", "utf8").length).toBeGreaterThanOrEqual(${most});
    });`;
}

for (const [name, code] of Object.entries(files)) await Bun.write(join(folder.path, name), header + code);

/** Runs the real test runner, which writes the output and the report. */
async function run(paths: readonly string[], args: readonly string[]): Promise<Results> {
  const report = join(folder.path, `${crypto.randomUUID()}.xml`);
  const running = Bun.spawn(
    [
      ...[process.execPath, "test", ...args, "--reporter=junit", `--reporter-outfile=${report}`],
      ...paths.map((path) => `./${path}`),
    ],
    { cwd: folder.path, stdout: "pipe", stderr: "pipe" },
  );
  const [out, said] = await Promise.all([running.stdout.text(), running.stderr.text()]);
  const file = Bun.file(report);
  const reported = (await file.exists()) ? readReport(await file.text()) : new Map();
  return resultsOf(paths, reported, errorsBetween(out + said, paths), await running.exited);
}

const together = (paths: readonly string[]) => run(paths, ["--parallel=2", "--no-isolate"]);
const alone = async (path: string) => (await run([path], [])).get(path)!;

test("what failed is told of each file: a test, a crash, a file that cannot be loaded", async () => {
  const paths = ["right.test.ts", "wrong.test.ts", "crashing.test.ts", "unloadable.test.ts"];
  const results = await together(paths);
  expect(results.get("right.test.ts")).toMatchObject({ passed: 1, skipped: 1, failures: [] });
  const wrong = { test: "is 'wrong' & more", why: "expect(received).toBe(expected)" };
  expect(results.get("wrong.test.ts")).toMatchObject({ passed: 1, failures: [wrong] });
  expect(failing(results)).toEqual(paths.slice(1));
  expect(results.get("unloadable.test.ts")?.failures[0]?.why).toContain("nothing.ts");
});

test("a file by itself is told of in the same way, also where its process is gone before a report is written", async () => {
  for (const path of ["wrong.test.ts", "crashing.test.ts", "unloadable.test.ts"])
    expect((await alone(path)).failures).toHaveLength(1);
  expect((await alone("right.test.ts")).failures).toEqual([]);
  // An empty file is like one whose tests are all left out on this machine.
  expect(failing(await together(["empty.test.ts", "right.test.ts"]))).toEqual([]);
});

test("what passes at its second or third try has passed, and is told", async () => {
  const first = await together(["second.test.ts", "third.test.ts", "right.test.ts"]);
  expect(failing(first)).toEqual(["second.test.ts", "third.test.ts"]);
  const { results, lines } = await tryAgain(first, alone);
  expect(total(results)).toEqual({ passed: 3, failed: 0, skipped: 1 });
  expect(lines).toHaveLength(2);
  expect(lines[0]).toStartWith('needed 2 tries  second.test.ts  "comes late"  expect(received)');
  expect(lines[1]).toStartWith("needed 3 tries  third.test.ts  ");
  expect(lines[1]).toMatch(/ {2}\(load \d+\.\d\)$/);
});

const failed = { passed: 2, skipped: 0, failures: [{ test: "one", why: "too late" }], ms: 1 };

test("what fails three times in a row has failed", async () => {
  let tries = 0;
  const { results, lines } = await tryAgain(new Map([["wrong.test.ts", failed]]), async () => {
    tries++;
    return failed;
  });
  expect(tries).toBe(2);
  expect(total(results)).toEqual({ passed: 2, failed: 1, skipped: 0 });
  expect(lines).toEqual(['Failed 3 times  wrong.test.ts  "one"  too late']);
});

test("where many files fail, none is tried again", async () => {
  const many = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`${i}.test.ts`, failed]));
  const right = { ...failed, failures: [] };
  const untried = await tryAgain(many(41), async () => right);
  expect(total(untried.results).failed).toBe(41);
  expect(untried.lines).toContain('Failed 1 times  40.test.ts  "one"  too late');
  expect(total((await tryAgain(many(40), async () => right)).results).failed).toBe(0);
});

test("the further tries end after a quarter of an hour, and what was not tried by then has failed", async () => {
  let minute = 0;
  const first = new Map(["a", "b", "c"].map((name) => [`${name}.test.ts`, failed]));
  const { results, lines } = await tryAgain(
    first,
    async (path) => {
      minute += 8;
      return path === "a.test.ts" ? { ...failed, failures: [] } : failed;
    },
    () => minute * 60_000,
  );
  expect(failing(results)).toEqual(["b.test.ts", "c.test.ts"]);
  expect(lines.slice(1)).toEqual([
    'Failed 2 times  b.test.ts  "one"  too late',
    'Failed 1 times  c.test.ts  "one"  too late',
  ]);
});
