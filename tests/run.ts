// `npm test`: starts a private PostgreSQL where its binaries are, runs the tests, and ends what it started.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { changedPaths, touchedTests } from "./changed.ts";
import { startPostgres } from "./house/postgres.ts";

/**
 * Test files at once, the longest first, so that none is left alone at the end. One more than there are cores, as many
 * tests wait for something most of their time; with more of them, browsers would get in each other's way.
 * `npm test -- --update-timings` writes down anew how long each takes.
 */
const sideBySide = ["--parallel=3", "--no-isolate", `--timings=${join(import.meta.dir, "timings.json")}`];

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
if (!postgres) console.warn("No PostgreSQL binaries found: the PostgreSQL half of the tests is skipped.");
process.exitCode = await runTests(chosen(process.argv.slice(2)));

/** All of them, or those that a change touches, side by side; with other arguments, what these say. */
function chosen(args: readonly string[]): readonly string[] {
  if (args.every((arg) => arg === "--update-timings")) return [...sideBySide, ...args];
  const changed = /^--changed(?:=(.+))?$/.exec(args.join(" "));
  return changed ? [...sideBySide, ...touchedTests(changedPaths(changed[1]))] : args;
}

function runTests(args: readonly string[]): Promise<number> {
  const running = spawn(process.execPath, ["test", "--no-orphans", "--timeout", "60000", ...args], {
    stdio: "inherit",
    env: { ...Bun.env, ...(postgres && { HEARTH_TEST_POSTGRES: postgres.url }) },
  });
  child = running;
  return new Promise((resolve, reject) => {
    running.on("exit", (code) => resolve(code ?? 1));
    running.on("error", reject);
  });
}
