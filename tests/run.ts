// `npm test`: starts a private PostgreSQL and Redis where their binaries are, runs the tests, and ends what it started.
import { spawnSync } from "node:child_process";
import { everyTest, isTestFile } from "./architecture/tree.ts";
import { changedPaths, fitting, quickTests, touchedTests } from "./changed.ts";
import { temporaryFolder } from "./house/machine/folder.ts";
import { startPostgres } from "./house/servers/postgres.ts";
import { startRedis } from "./house/servers/redis.ts";
import { interleaved } from "./interleaved.ts";
import { isLong, type Lane, stagesOf } from "./lanes.ts";
import { endAll, startProgram, untilClosed } from "./programs.ts";
import { failing, type Results, total } from "./results.ts";
import { type Invocation, isBroken, runFiles, runNamed } from "./test-runner.ts";
import { complete, readTimings, writeTimings } from "./timings.ts";
import { tryAgain } from "./tries.ts";

/** Time limit of a file that is retried by itself. */
const aloneMs = 10 * 60_000;
/** How many of the files that a short run leaves out are listed by name. */
const mostNamed = 20;
/** Further programs that `npm run test:all` runs; each counts as one test. */
const programs: readonly (readonly [title: string, ...args: string[]])[] = [
  ["Schemathesis", "tests/schemathesis/main.ts"],
  ["the bench's smoke", "bench/main.ts", "--smoke"],
  ["the bench's comparison of pages", "bench/main.ts", "web", "--smoke", "--against", "."],
];
/** The exit code by which a program says that it cannot run on this machine; it counts as skipped. */
const notHere = 77;

// Installed first: a time limit or a closed terminal can end the run at any moment. PostgreSQL ends with this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    endAll(signal);
    process.exit(1);
  });
}

const given = process.argv.slice(2);
const [updates, all, sqlite] = ["--update-timings", "--all", "--sqlite"].map((each) => given.includes(each));
const args = given.filter((arg) => !/^--((update-timings|all|sqlite)$|changed(=|$)|within(=|$))/.test(arg));
const files = args.length === 0 ? chosen() : [];
// Tests that serve the page need it built from the current sources.
const showsPage = /^(\.\/)?(tests\/(browser|start|proxies)|tools|server\/http)\b/;
if ([...args, ...files].some((path) => showsPage.test(path) || !isTestFile(path)))
  spawnSync(process.execPath, ["tools/page.ts", "--if-changed"], { stdio: "inherit" });
await using postgres = sqlite ? undefined : await startPostgres(false);
await using redis = sqlite ? undefined : await startRedis();
if (sqlite) console.warn("On SQLite alone: what runs on several processes is left out.");
if (!postgres && !sqlite) console.warn("No PostgreSQL binaries found: what runs on PostgreSQL is skipped.");
if (!redis && !sqlite) console.warn("No Redis binary found: what runs on several processes is skipped.");
const env = {
  ...(postgres && { HEARTH_TEST_POSTGRES: postgres.url }),
  ...(redis && { HEARTH_TEST_REDIS: redis.url }),
};
const folder = temporaryFolder();
try {
  process.exitCode = args.length > 0 ? await runArguments() : await runChosen();
} finally {
  folder.remove();
}

/** The files of the gate, all files (`--all`), or those that a change touches (`--changed`, `--changed=main`). */
function chosen(): readonly string[] {
  const since = option("changed");
  if (since === undefined) return everyTest().filter((path) => all || !isLong(path));
  const changed = changedPaths(since || undefined);
  const touched = touchedTests(changed).filter((path) => all || !isLong(path) || changed.includes(path));
  const seconds = option("within");
  return seconds ? nearest([...new Set([...touched, ...quickTests()])], Number(seconds)) : touched;
}

function option(name: string): string | undefined {
  return given.find((arg) => arg.split("=")[0] === `--${name}`)?.slice(name.length + 3);
}

function nearest(all: readonly string[], seconds: number): readonly string[] {
  const near = fitting(all, seconds * 1000);
  const left = all.filter((path) => !near.includes(path));
  if (left.length > 0)
    console.log(`Left to npm test, ${left.length}: ${left.slice(0, mostNamed).join(", ")}`);
  return near;
}

async function runArguments(): Promise<number> {
  const { code, results } = await runNamed(args, folder.path, env);
  if (updates) keepTimings(results);
  return code ?? 1;
}

async function runChosen(): Promise<number> {
  const first = await runStages(updates ? [[{ name: "alone", workers: 1, files }]] : stagesOf(files));
  if (updates) keepTimings(first);
  const suspects = failing(first);
  if (suspects.length > 0) console.log(`\nOnce more, each by itself: ${suspects.join(", ")}`);
  const { results, lines } = await tryAgain(first, tryAlone);
  const { passed, failed, skipped } = total(results);
  const besides = all ? await runPrograms() : { passed: 0, failed: 0, skipped: 0 };
  console.log(["", ...lines, ` ${passed + besides.passed} pass`].join("\n"));
  console.log(` ${skipped + besides.skipped} skip\n ${failed + besides.failed} fail`);
  return failed + besides.failed > 0 || passed === 0 ? 1 : 0;
}

/** Runs the lanes of each stage side by side, and the stages one after the other. */
async function runStages(stages: readonly (readonly Lane[])[]): Promise<Results> {
  const follow = interleaved((line) => console.log(line));
  const results: Results[] = [];
  for (const lanes of stages)
    results.push(...(await Promise.all(lanes.map((lane) => runLane(lane, follow())))));
  return new Map(results.flatMap((each) => [...each]));
}

/** Runs one lane. A runner that broke is started once more, with the files that failed or were not reported. */
async function runLane({ workers, files }: Lane, tell: (chunk: string) => void): Promise<Results> {
  const run = (paths: readonly string[]): Promise<Invocation> =>
    runFiles(paths, [`--parallel=${workers}`, "--no-isolate"], { folder: folder.path, env, tell });
  const first = await run(files);
  if (!isBroken(first)) return first.results;
  const left = failing(first.results);
  const again = left.length > 0 ? left : files;
  console.log(
    `\nA runner of ${files.length} files broke (${first.code}): ${again.length} of them once more.`,
  );
  return new Map([...first.results, ...(await run(again)).results]);
}

async function tryAlone(path: string) {
  const tell = (chunk: string) => process.stdout.write(chunk);
  const options = { folder: folder.path, env, tell, limitMs: aloneMs };
  const { results } = await runFiles([path], [], options);
  return results.get(path)!;
}

/** A program that fails is tried once more; it does the same each time. */
async function runPrograms() {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const [title, ...args] of programs) {
    console.log(`\n== ${title}`);
    let code = await runProgram(args);
    if (code !== 0 && code !== notHere) code = await runProgram(args);
    if (code === notHere) count.skipped++;
    else if (code === 0) count.passed++;
    else {
      console.log(`Failed 2 times  ${title}`);
      count.failed++;
    }
  }
  return count;
}

function runProgram(args: readonly string[]): Promise<number | null> {
  return untilClosed(startProgram(args, { stdio: ["ignore", "inherit", "inherit"] }));
}

function keepTimings(results: Results): void {
  const took = Object.fromEntries([...results].map(([path, { ms }]) => [path, ms]));
  writeTimings(complete({ ...readTimings(), ...took }, everyTest()));
}
