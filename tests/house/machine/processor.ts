// The processor time that an event loop has used, which does not depend on how busy the machine is.
import { existsSync, readFileSync } from "node:fs";

/** True if this kernel reports the processor time of a thread. */
export const tellsProcessorTime = existsSync("/proc/self/schedstat");

/**
 * Returns milliseconds of the event loop's thread alone: hashing and garbage collection run on others. Where the kernel
 * does not report it, the user time of all threads of this process.
 */
export function processorMs(pid = process.pid): number {
  if (!tellsProcessorTime && pid === process.pid) return process.cpuUsage().user / 1000;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}
