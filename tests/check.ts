// `npm run check`: checks a recent change within a minute, by lint, types, and the tests nearest to it.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { changedPaths } from "./changed.ts";

/** Total of the measured times of the chosen tests on all engines, one after the other; here they run side by side. */
const testSeconds = 60;

const program = (name: string) => join("node_modules/.bin", name);
const types = (project: string): Step => [`types of ${project}`, program("tsc"), "--noEmit", "-p", project];

type Step = readonly [title: string, command: string, ...args: string[]];

const changed = changedPaths().filter((path) => existsSync(path));

const steps: readonly Step[] = [
  ["tests", process.execPath, "tests/run.ts", "--changed", "--sqlite", `--within=${testSeconds}`],
  // Unchanged files were linted before; `.ci/run` lints all of them.
  ["lint", program("biome"), "check", "--no-errors-on-unmatched", ...changed],
  types("."),
  types("client"),
  types("web"),
];

const running: ChildProcess[] = [];
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });
}

const begun = performance.now();
const failed = (await Promise.all(steps.map(failing))).filter((title) => title !== undefined);
const seconds = Math.round((performance.now() - begun) / 1000);
console.log(failed.length > 0 ? `\nFailed: ${failed.join(", ")}` : "\nNothing near the change is broken.");
console.log(`Checked in ${seconds} s.`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Runs a step and prints its output at its end, as others run at the same time. Returns its title if it failed. */
function failing([title, command, ...args]: Step): Promise<string | undefined> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      console.log(`== ${title}\n${said.trimEnd()}`);
      resolve(code === 0 ? undefined : title);
    });
  });
}
