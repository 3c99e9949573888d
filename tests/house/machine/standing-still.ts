// Stops processes by SIGSTOP, and waits until none of their threads runs any more.
import { readdirSync, readFileSync } from "node:fs";
import { childrenOf } from "./children.ts";

const patienceMs = 60_000;

/**
 * Stops processes and returns once none of them runs: SIGSTOP alone is only a request, and a thread on another
 * processor may still answer after it. Returns false if all of them have ended.
 */
export function standStill(...pids: (number | undefined)[]): boolean {
  const stopped = pids.filter((pid) => pid !== undefined && stop(pid)) as number[];
  for (const end = performance.now() + patienceMs; stopped.some(runs); Bun.sleepSync(1))
    if (performance.now() > end) throw new Error(`process ${stopped.find(runs)} does not stand still`);
  return stopped.length > 0;
}

/** Stops a process, then its children: a stopped parent starts no further ones. */
export function standStillWithChildren(pid: number | undefined): void {
  if (pid !== undefined && standStill(pid)) standStill(...childrenOf(pid));
}

function stop(pid: number): boolean {
  try {
    return process.kill(pid, "SIGSTOP");
  } catch {
    return false;
  }
}

/** True while a thread is neither stopped (state `T` or `t`) nor ended (`Z` or `X`). */
function runs(pid: number): boolean {
  // Other systems do not show it.
  if (process.platform !== "linux") return false;
  const threads = `/proc/${pid}/task`;
  try {
    return readdirSync(threads).some((id) => {
      const stat = readFileSync(`${threads}/${id}/stat`, "latin1");
      return !"TtZX".includes(stat.charAt(stat.lastIndexOf(")") + 2));
    });
  } catch {
    // A thread or the process ended meanwhile: check again if the process is still there.
    return isThere(pid);
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
