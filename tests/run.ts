// `npm test`: starts a private PostgreSQL and Redis where their binaries are, runs the tests, and ends what it started.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { everyTest, isTestFile } from "./architecture/tree.ts";
import { changedPaths, fitting, touchedTests } from "./changed.ts";
import { temporaryFolder } from "./house/folder.ts";
import { startPostgres } from "./house/postgres.ts";
import { startRedis } from "./house/redis.ts";
import { type Results, readResults, together } from "./results.ts";
import { deserving, knownTries, verdict } from "./second-try.ts";
import { complete, readTimings, timingOf, timingsPath, writeTimings } from "./timings.ts";
import { interleaved, stagesOf, type Track } from "./tracks.ts";

/** The exit code of a run that did not come to its end, or failed outside of its tests. */
const broken = 2;
/** Files that a short run leaves out, by name. */
const mostNamed = 20;

const running = new Set<ChildProcess>();
// From the beginning: a limit on time or a closed terminal can end it at any moment. PostgreSQL goes with this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });
}

const given = process.argv.slice(2);
const updates = given.includes("--update-timings");
const args = given.filter((arg) => !/^--(update-timings$|changed(=|$)|within(=|$))/.test(arg));
const files = args.length === 0 ? chosen() : [];
// Browsers are shown the page as it is now.
const showsPage = /^(\.\/)?(tests\/(browser|start|proxies)|tools|server\/http)\b/;
if ([...args, ...files].some((path) => showsPage.test(path) || !isTestFile(path)))
  spawnSync(process.execPath, ["tools/page.ts", "--if-changed"], { stdio: "inherit" });
await using postgres = await startPostgres(false);
await using redis = await startRedis();
if (!postgres) console.warn("No PostgreSQL binaries found: what runs on PostgreSQL is skipped.");
if (!redis) console.warn("No Redis binary found: what runs on several processes is skipped.");
const folder = temporaryFolder();
try {
  const { code, results } =
    files.length > 0 ? await runStages(stagesOf(files, timingOf())) : await runTests(args);
  if (updates) writeTimings(complete({ ...readTimings(), ...Object.fromEntries(results.took) }, everyTest()));
  // Only a run whose tests failed ends with 1.
  process.exitCode = code === 1 && files.length > 0 ? await tryAgain(results) : code;
} finally {
  folder.remove();
}

/** All of them, or those that a change touches (`--changed`, `--changed=main`). */
function chosen(): readonly string[] {
  const since = option("changed");
  if (since === undefined) return everyTest();
  const all = touchedTests(changedPaths(since || undefined));
  const seconds = option("within");
  return seconds ? nearest(all, Number(seconds)) : all;
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

interface Run {
  code: number;
  results: Results;
}

/** Runs the tracks of each stage side by side, and the stages one after the other. */
async function runStages(stages: readonly (readonly Track[])[]): Promise<Run> {
  const follow = interleaved((line) => console.log(line));
  const runs: Run[] = [];
  for (const tracks of stages) {
    const trackRuns = tracks.map(({ workers, files }) =>
      runTests([`--parallel=${workers}`, "--no-isolate", ...files.map((path) => `./${path}`)], follow()),
    );
    runs.push(...(await Promise.all(trackRuns)));
  }
  const results = together(runs.map((run) => run.results));
  console.log(` ${results.passed} pass\n ${results.failed} fail`);
  return { code: Math.max(...runs.map(({ code }) => code)), results };
}

/** Runs files that failed once more, one after the other. Returns the exit code of both tries. */
async function tryAgain(first: Results): Promise<number> {
  const failing = deserving(first);
  if (failing.length === 0) return 1;
  console.log(`\nOnce more, each by itself: ${failing.join(", ")}`);
  const { code, results } = await runTests(failing.map((path) => `./${path}`));
  const known = knownTries().map(({ path }) => path);
  const { failed, lines } = verdict(first, results, known, commit());
  console.log(lines.join("\n"));
  return failed > 0 ? 1 : code;
}

/** Without `tell` it has the terminal. */
function runTests(args: readonly string[], tell?: (chunk: string) => void): Promise<Run> {
  const report = join(folder.path, `${crypto.randomUUID()}.xml`);
  const reported = [`--timings=${timingsPath}`, "--reporter=junit", `--reporter-outfile=${report}`];
  const child = spawn(
    process.execPath,
    ["test", "--no-orphans", "--timeout", "400000", ...reported, ...args],
    {
      stdio: tell ? ["ignore", "pipe", "pipe"] : "inherit",
      env: {
        ...Bun.env,
        ...(postgres && { HEARTH_TEST_POSTGRES: postgres.url }),
        ...(redis && { HEARTH_TEST_REDIS: redis.url }),
      },
    },
  );
  running.add(child);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", tell ?? (() => {}));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      const results = existsSync(report) ? readResults(report) : together([]);
      resolve({ code: code === 1 && results.failing.size === 0 ? broken : (code ?? broken), results });
    });
  });
}

/** The commit of the checkout; zeros in a copy without Git. */
function commit(): string {
  return spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout?.trim() || "0000000";
}
