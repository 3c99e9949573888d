// Makes the system calls of a server that runs fail or wait, as a disk would: strace tampers with them meanwhile.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { until } from "../house/machine/waiting.ts";

/** strace may be absent, and looking into a process that runs may be forbidden. */
export function canInject(): boolean {
  const { stdout } = spawnSync("sh", [
    "-c",
    "sleep 5 & strace -p $! -o /dev/null & sleep 0.5; kill -0 $! && echo yes; kill $! %1",
  ]);
  return stdout?.toString().includes("yes") ?? false;
}

export interface Fault {
  /** Names of system calls, with commas between. */
  calls: string;
  /** What strace does to them, in its words: `error=EIO`, `delay_enter=2000000` (in microseconds). */
  effect: string;
  /** Only calls about this file. */
  path?: string;
}

/** From when this resolves until `end` does, the calls go wrong. */
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
    // A thread that has ended meanwhile.
    return true;
  }
}
