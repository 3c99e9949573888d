// Processor time and memory of a process, as the kernel reports them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { childrenOf } from "../tests/house/machine/children.ts";

/** The unit of time in /proc: programs have always seen 100 ticks a second there. */
const msPerTick = 10;

/** Returns the user and system time of all threads in milliseconds, including threads that have ended. */
export function processorMs(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** Returns the processor time of the child processes that have ended, in milliseconds. */
export function endedProcessorMs(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[13]) + Number(fields[14])) * msPerTick;
}

/** Returns the processor time of this process and its children, ended or running, in milliseconds. */
export function familyMs(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + childMs(child), ownAndEndedMs(pid));
}

/** Returns the processor time of a process's main thread in milliseconds, to the nanosecond. */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
}

/** Returns the ids of all running processes that this one and its descendants started. */
export function descendants(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) => childrenOf(pid, thread));
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** Returns the thread ids of a process; empty if it has ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function ownAndEndedMs(pid: number): number {
  return processorMs(pid) + endedProcessorMs(pid);
}

/** Returns 0 for a child that ends meanwhile: the next reading counts it among the ended ones. */
function childMs(pid: number): number {
  try {
    return processorMs(pid);
  } catch {
    return 0;
  }
}

function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The second field is the program's name in parentheses, which may contain anything: parse from behind it.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Returns the busy time of all cores in milliseconds, including time that the host stole for other machines. */
export function machineMs(): number {
  const [all] = readFileSync("/proc/stat", "latin1").split("\n");
  const [user, nice, system, , , irq, softIrq, steal] = all!.split(/ +/).slice(1).map(Number);
  return (user! + nice! + system! + irq! + softIrq! + steal!) * msPerTick;
}

/** Returns resident memory in bytes: all of it, and the anonymous part (without mapped files). */
export function residentMemory(pid: number): { all: number; own: number } {
  return { all: statusBytes(pid, "VmRSS"), own: statusBytes(pid, "RssAnon") };
}

/**
 * Returns the peak of resident memory in bytes since the process started, or since `forgetPeakMemory`. Unlike samples,
 * it includes every peak.
 */
export function peakMemory(pid: number): number {
  return statusBytes(pid, "VmHWM");
}

export function forgetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function statusBytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
}
