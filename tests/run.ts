// `npm test`: starts a private PostgreSQL where its binaries are, runs the tests, and ends what it started.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { startPostgres } from "./house/postgres.ts";

/** Test files at once. More than there are cores: many wait for something most of their time. */
const sideBySide = 4;
/** They compare processor times: nothing runs beside them. */
const alone = ["tests/protection/cost.test.ts", "tests/protection/frame-cost.test.ts"];
/** How long each file takes, in milliseconds, so that the longest begin first: `npm test -- --update-timings`. */
const timings = join(import.meta.dir, "timings.json");
/** What picks among all tests; with anything else these arguments go to one process, as they are. */
const whole = ["--changed", "--update-timings"];

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
process.exitCode = await runTests(process.argv.slice(2));

async function runTests(args: readonly string[]): Promise<number> {
  if (!args.every((arg) => whole.some((name) => arg === name || arg.startsWith(`${name}=`))))
    return (await run(args)).exitCode;
  const begun = performance.now();
  const many = await run([
    ...[`--parallel=${sideBySide}`, "--no-isolate", `--timings=${timings}`],
    ...alone.map((file) => `--path-ignore-patterns=${file}`),
    ...args,
  ]);
  const few = await run([...alone, ...args.filter((arg) => arg !== "--update-timings")]);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const sum = (outcome: string) => countOf(many.said, outcome) + countOf(few.said, outcome);
  console.info(`In all:\n ${sum("pass")} pass\n ${sum("skip")} skip\n ${sum("fail")} fail\n${seconds} s`);
  return many.exitCode || few.exitCode;
}

/** The number in the summary's line ` 12 pass`, which is left out when it would be 0. */
function countOf(said: string, outcome: string): number {
  return Number(said.match(new RegExp(`^ *(\\d+) ${outcome}$`, "m"))?.[1] ?? 0);
}

/** Of what it said, the end: the runner's summary. */
function run(args: readonly string[]): Promise<{ exitCode: number; said: string }> {
  const colours = process.stderr.isTTY && { FORCE_COLOR: "1" };
  const running = spawn(
    process.execPath,
    ["test", "--no-orphans", "--pass-with-no-tests", "--timeout", "60000", ...args],
    {
      stdio: ["inherit", "inherit", "pipe"],
      env: { ...Bun.env, ...colours, ...(postgres && { HEARTH_TEST_POSTGRES: postgres.url }) },
    },
  );
  child = running;
  let said = "";
  running.stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    said = (said + Bun.stripANSI(chunk.toString())).slice(-2000);
  });
  return new Promise((resolve, reject) => {
    running.on("close", (code) => resolve({ exitCode: code ?? 1, said }));
    running.on("error", reject);
  });
}
