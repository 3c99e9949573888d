// Finds the running picture decoder processes in /proc.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { standStill } from "../machine/standing-still.ts";
import { until } from "../machine/waiting.ts";

/** Process ids of the decoders that a process started. */
export function decodersOf(pid: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter(
      (id) =>
        id > 0 && parentOf(id) === pid && wordsOf(id).some((word) => word.endsWith("/picture-process.ts")),
    );
}

export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Stops the first decoder of this process that starts, by SIGSTOP. Returns its pid. */
export async function stoppedDecoder(): Promise<number> {
  let stopped: number | undefined;
  await until(() => {
    stopped = decodersOf(process.pid).find((pid) => standStill(pid));
    return stopped !== undefined;
  }, "no decoder has started");
  return stopped as unknown as number;
}

/** True if a process has this file open at the moment. */
export function isReading(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((fd) => readlinkSync(`${folder}/${fd}`) === path);
  } catch {
    // A descriptor was closed while they were read, or the process has ended.
    return false;
  }
}

function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

function wordsOf(pid: number): string[] {
  return read(`/proc/${pid}/cmdline`).split("\0");
}

/** Returns an empty text for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
