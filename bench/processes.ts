// Starts the programs of a run, each on its processor core, and ends them by process id.
import { cpus } from "node:os";
import type { Subprocess } from "bun";

/** Server and load generator each have a core, so that neither slows the other; PostgreSQL shares both cores. */
export type Core = 0 | 1 | "any";

interface StartOptions {
  core: Core;
  env?: Record<string, string>;
  /** Runs at a lower priority than the other programs of its core. */
  givesWay?: boolean;
  /** The destination of standard error; inherited by default. */
  stderr?: Bun.BunFile;
}

export type Program = Subprocess<"pipe", "pipe", "inherit" | Bun.BunFile>;

const running = new Set<Program>();
const patienceMs = 10_000;

export function start(command: string[], { core, env, givesWay, stderr }: StartOptions): Program {
  const program = Bun.spawn([...(givesWay ? ["nice", "-n", "10"] : []), ...pin(core), ...command], {
    env: { ...process.env, ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: stderr ?? "inherit",
  });
  running.add(program);
  program.exited.then(() => running.delete(program));
  return program;
}

export async function stop(program: Program): Promise<void> {
  program.kill("SIGTERM");
  const late = setTimeout(() => program.kill("SIGKILL"), patienceMs);
  await program.exited;
  clearTimeout(late);
}

/** Yields the lines that a program prints, as they arrive. */
export async function* readLines(program: Program): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of program.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Ends all programs of an interrupted run. */
export function killAll(): void {
  for (const program of running) program.kill("SIGKILL");
}

export const canPin = cpus().length > 1 && Bun.which("taskset") !== null;

/** taskset (and nice) exec the program that they start, so the process id stays the same. */
function pin(core: Core): string[] {
  return canPin && core !== "any" ? ["taskset", "-c", String(core)] : [];
}
