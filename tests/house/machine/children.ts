// The child processes of a process, as the system lists them by the thread that started them.
import { readFileSync } from "node:fs";

/** Returns the ids of the children that a thread started, by default the first. Empty if the thread has ended. */
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
