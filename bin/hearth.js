#!/usr/bin/env node
// Runs the command line under Bun, from Hearth's own folder, so that DATA_DIR means the same as with npm start.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const hearth = dirname(dirname(fileURLToPath(import.meta.url)));

function findBun() {
  try {
    const folder = dirname(createRequire(join(hearth, "package.json")).resolve("bun/package.json"));
    return join(folder, "bin", "bun.exe");
  } catch {
    console.error(`Hearth is not installed yet: run npm ci in ${hearth}.`);
    process.exit(1);
  }
}

const child = spawn(findBun(), [join(hearth, "cli", "main.ts"), ...process.argv.slice(2)], {
  cwd: hearth,
  stdio: "inherit",
});
child.on("error", (error) => {
  console.error(`Bun cannot be started: ${error.message}. Run npm ci in ${hearth}.`);
  process.exit(1);
});
// Control-C reaches both from the terminal; this one waits for the other. What is sent to this one alone is passed on.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(code ?? 1);
});
