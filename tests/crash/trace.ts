// Runs the server under strace and reads from its trace which writes reached the disk, and when.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

// A call that strace shows as interrupted by another thread ends on a line of its own: `<... fsync resumed>) = 0`.
const SYNC_DONE = /^\d+\s+(\d+\.\d+) .*\b(?:fsync|fdatasync)\b.*= 0$/;

/** False where strace is missing, or forbidden, as in some containers. */
export function canTrace(): boolean {
  return spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;
}

/** `-D` keeps the server the direct child, so that its pid is the one that was spawned. */
export function tracedInto(file: string): string[] {
  return ["strace", "-D", "-f", "-ttt", "-e", "trace=fsync,fdatasync", "-o", file];
}

/** The times of all finished syncs so far, in milliseconds since 1970. */
export function syncs(file: string): number[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      const moment = SYNC_DONE.exec(line)?.[1];
      return moment === undefined ? [] : [Number(moment) * 1_000];
    });
}
