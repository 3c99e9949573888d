// The processes that decode pictures at this moment, as the system lists them.
import { readdirSync, readFileSync } from "node:fs";

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

function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

function wordsOf(pid: number): string[] {
  return read(`/proc/${pid}/cmdline`).split("\0");
}

/** Empty for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
