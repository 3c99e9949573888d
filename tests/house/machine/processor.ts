// The processor time that an event loop used, which is the same however busy the machine is.
import { existsSync, readFileSync } from "node:fs";

/** Whether the kernel of this machine tells it. */
export const tellsProcessorTime = existsSync("/proc/self/schedstat");

/**
 * In milliseconds, of the thread that runs the event loop only: hashing and collecting garbage happen elsewhere. Where the
 * kernel does not tell, of all threads of this process.
 */
export function processorMs(pid = process.pid): number {
  if (!tellsProcessorTime && pid === process.pid) return process.cpuUsage().user / 1000;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}
