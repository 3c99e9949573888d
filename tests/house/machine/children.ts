// Lists the child processes that each thread of a process started, as /proc shows them.
import { readFileSync } from "node:fs";

/** Returns the pids of the children of one thread, by default the main one. Empty if the thread has ended. */
export function childrenOf(pid: number, thread = `${pid}`): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1");
    return children
      .split(" ")
      .map(Number)
      .filter((child) => child > 0);
  } catch {
    return [];
  }
}
