// `npm test`: starts a private PostgreSQL and Redis where their binaries are, runs the tests, and ends what it started.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changedPaths, touchedTests } from "./changed.ts";
import { startPostgres } from "./house/postgres.ts";
import { startRedis } from "./house/redis.ts";
import { closingLines, deserving, readResults } from "./second-try.ts";

/**
 * Test files at once, the longest first, so that none is left alone at the end. One more than there are cores, as many
 * tests wait for something most of their time; with more of them, browsers would get in each other's way.
 * `npm test -- --update-timings` writes down anew how long each takes.
 */
const sideBySide = [
  "--parallel=3",
  "--no-isolate",
  `--timings=${join(import.meta.dir, "timings.json")}`,
] as const;

let child: ChildProcess | undefined;
// From the beginning: a limit on time or a closed terminal can end it at any moment. PostgreSQL goes with this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    child?.kill(signal);
    process.exit(1);
  });
}

// Browsers are shown the page as it is now.
spawnSync(process.execPath, ["tools/page.ts", "--if-changed"], { stdio: "inherit" });
await using postgres = await startPostgres(false);
await using redis = await startRedis();
if (!postgres) console.warn("No PostgreSQL binaries found: what runs on PostgreSQL is skipped.");
if (!redis) console.warn("No Redis binary found: what runs on several processes is skipped.");
const args = chosen(process.argv.slice(2));
process.exitCode = args.includes(sideBySide[0]) ? await runTwice(args) : await runTests(args);

/** All of them, or those that a change touches, side by side; with other arguments, what these say. */
function chosen(args: readonly string[]): readonly string[] {
  if (args.every((arg) => arg === "--update-timings")) return [...sideBySide, ...args];
  const changed = /^--changed(?:=(.+))?$/.exec(args.join(" "));
  return changed ? [...sideBySide, ...touchedTests(changedPaths(changed[1]))] : args;
}

/** Runs the tests side by side, and files that failed once more, one after the other. Returns the exit code. */
async function runTwice(args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-results-"));
  const reported = (path: string) => ["--reporter=junit", `--reporter-outfile=${path}`];
  try {
    const paths = [join(folder, "first.xml"), join(folder, "again.xml")] as const;
    const code = await runTests([...args, ...reported(paths[0])]);
    // Only a run that came to its end has a report, and only one whose tests failed ends with 1.
    if (code !== 1) return code;
    const first = readResults(paths[0]);
    const files = deserving(first);
    if (files.length === 0) return code;
    console.log(`\nOnce more, each by itself: ${files.join(", ")}`);
    const secondCode = await runTests([...files.map((path) => `./${path}`), ...reported(paths[1])]);
    console.log(closingLines(first, readResults(paths[1])));
    return secondCode;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runTests(args: readonly string[]): Promise<number> {
  const running = spawn(process.execPath, ["test", "--no-orphans", "--timeout", "60000", ...args], {
    stdio: "inherit",
    env: {
      ...Bun.env,
      ...(postgres && { HEARTH_TEST_POSTGRES: postgres.url }),
      ...(redis && { HEARTH_TEST_REDIS: redis.url }),
    },
  });
  child = running;
  return new Promise((resolve, reject) => {
    running.on("exit", (code) => resolve(code ?? 1));
    running.on("error", reject);
  });
}
