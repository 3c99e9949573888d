// One invocation of Bun's test runner as a child process, whose output is followed and whose report is read.
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startProgram, untilClosed } from "./programs.ts";
import { errorsBetween, failing, type Results, readReport, resultsOf } from "./results.ts";
import { timingsPath } from "./timings.ts";

/** Timeout of one test: long, so that it ends a test that hangs, but none that waits for a busy machine. */
const testMs = 400_000;

export interface Invocation {
  /** The exit code; null if a signal ended the runner. */
  code: number | null;
  results: Results;
}

interface Options {
  /** The folder that reports are written to. */
  folder: string;
  /** Environment variables of the tests, in addition to those of this process. */
  env: Readonly<Record<string, string>>;
  /** Called with each chunk of output. */
  tell: (chunk: string) => void;
  limitMs?: number;
}

/** Runs these files. `args` are further arguments for the test runner. */
export function runFiles(
  files: readonly string[],
  args: readonly string[],
  { folder, env, tell, limitMs }: Options,
): Promise<Invocation> {
  const report = join(folder, `${crypto.randomUUID()}.xml`);
  let said = "";
  const hear = (chunk: string) => {
    said += chunk;
    tell(chunk);
  };
  const child = start([...args, ...reportingTo(report), ...files.map((path) => `./${path}`)], env, "pipe");
  const limit = limitMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), limitMs);
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", hear);
  return untilClosed(child).then((code) => {
    clearTimeout(limit);
    const reported: Results = existsSync(report) ? readReport(readFileSync(report, "utf8")) : new Map();
    return { code, results: resultsOf(files, reported, errorsBetween(said, files), code) };
  });
}

/** Runs the tests that a person named, in their terminal. Returns the exit code and the results of each file. */
export async function runNamed(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Invocation> {
  const report = join(folder, "named.xml");
  const code = await untilClosed(start([...args, ...reportingTo(report)], env, "inherit"));
  return { code, results: existsSync(report) ? readReport(readFileSync(report, "utf8")) : new Map() };
}

/** True if the runner did not finish, or failed although no file did. */
export function isBroken({ code, results }: Invocation): boolean {
  return code !== 0 && (code !== 1 || failing(results).length === 0);
}

function reportingTo(report: string): string[] {
  return ["--reporter=junit", `--reporter-outfile=${report}`];
}

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  output: "pipe" | "inherit",
): ChildProcess {
  return startProgram(["test", "--no-orphans", `--timeout=${testMs}`, `--timings=${timingsPath}`, ...args], {
    stdio: [output === "pipe" ? "ignore" : "inherit", output, output],
    env: { ...Bun.env, ...env },
  });
}
