// `npm test`: starts a private PostgreSQL where its binaries are, runs every test file, and ends what it started.
import { spawn } from "node:child_process";
import { startPostgres } from "./house/postgres.ts";

await using postgres = await startPostgres(false);
if (!postgres) console.warn("No PostgreSQL binaries found: the PostgreSQL half of the tests is skipped.");
process.exitCode = await runTests(process.argv.slice(2), postgres?.url);

function runTests(args: readonly string[], postgresUrl: string | undefined): Promise<number> {
  const child = spawn(process.execPath, ["test", "--timeout", "20000", ...args], {
    stdio: "inherit",
    env: { ...Bun.env, ...(postgresUrl && { HEARTH_TEST_POSTGRES: postgresUrl }) },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}
