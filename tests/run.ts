// `npm test`: starts a private PostgreSQL where its binaries are, runs every test file, and ends what it started.
import { type ChildProcess, spawn } from "node:child_process";
import { startPostgres } from "./house/postgres.ts";

let child: ChildProcess | undefined;
// From the beginning: a limit on time or a closed terminal can end it at any moment. PostgreSQL goes with this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    child?.kill(signal);
    process.exit(1);
  });
}

await using postgres = await startPostgres(false);
if (!postgres) console.warn("No PostgreSQL binaries found: the PostgreSQL half of the tests is skipped.");
process.exitCode = await runTests(process.argv.slice(2), postgres?.url);

function runTests(args: readonly string[], postgresUrl: string | undefined): Promise<number> {
  const running = spawn(process.execPath, ["test", "--timeout", "60000", ...args], {
    stdio: "inherit",
    env: { ...Bun.env, ...(postgresUrl && { HEARTH_TEST_POSTGRES: postgresUrl }) },
  });
  child = running;
  return new Promise((resolve, reject) => {
    running.on("exit", (code) => resolve(code ?? 1));
    running.on("error", reject);
  });
}
