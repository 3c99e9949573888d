// The child processes of a test run, tracked so that they end with it.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

const running = new Set<ChildProcess>();

/** Starts Bun with these arguments. */
export function startProgram(args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(process.execPath, args, options);
  running.add(child);
  return child;
}

/** Resolves to the exit code, or to null where a signal ended it. */
export function untilClosed(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      running.delete(child);
      resolve(code);
    });
  });
}

/** Forwards a signal to every running child process. */
export function endAll(signal: NodeJS.Signals): void {
  for (const child of running) child.kill(signal);
}
