// Fault injection: strace makes system calls of a running server fail or wait, as a bad disk would.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { until } from "../house/machine/waiting.ts";

/** False where strace is missing, or may not attach to a running process. */
export function canInject(): boolean {
  const { stdout } = spawnSync("sh", [
    "-c",
    "sleep 5 & strace -p $! -o /dev/null & sleep 0.5; kill -0 $! && echo yes; kill $! %1",
  ]);
  return stdout?.toString().includes("yes") ?? false;
}

export interface Fault {
  /** Names of system calls, separated by commas. */
  calls: string;
  /** strace's syntax for the fault: `error=EIO`, `delay_enter=2000000` (in microseconds). */
  effect: string;
  /** Limits the fault to calls on this file. */
  path?: string;
}

/** The fault is in force from when this resolves until `end` does. */
export async function inject(pid: number, { calls, effect, path }: Fault): Promise<{ end(): Promise<void> }> {
  const only = path === undefined ? [] : ["-P", path];
  const what = ["-e", `trace=${calls}`, "-e", `inject=${calls}:${effect}`];
  const strace = spawn("strace", ["-f", "-qq", "-p", String(pid), "-o", "/dev/null", ...only, ...what], {
    stdio: "ignore",
  });
  const ended = once(strace, "exit");
  await until(() => threadsOf(pid).every(isTraced), "strace did not take hold of the server");
  return {
    async end() {
      strace.kill("SIGTERM");
      await ended;
    },
  };
}

function threadsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/status`);
}

function isTraced(status: string): boolean {
  try {
    return !/^TracerPid:\s+0$/m.test(readFileSync(status, "utf8"));
  } catch {
    // The thread has ended meanwhile.
    return true;
  }
}
