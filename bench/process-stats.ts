// The kernel's figures of a process: processor time and memory.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { childrenOf } from "../tests/house/machine/children.ts";

/** The unit of time in /proc; Linux has told programs 100 a second for as long as it has had /proc. */
const msPerTick = 10;

/** User and system time of all threads, including those that ended. */
export function processorMs(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** The same of the processes that this one started and that have ended. */
export function endedProcessorMs(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[13]) + Number(fields[14])) * msPerTick;
}

/** The time of this process, of those that it started and that have ended, and of those that still run. */
export function familyMs(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + childMs(child), ownAndEndedMs(pid));
}

/** Processor time of the thread with which a process began, to the nanosecond. */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
}

/** The ids of all processes that this one and those below it started, and that still run. */
export function descendants(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) => childrenOf(pid, thread));
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** Empty if the process has ended. */
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

/** One that ends while it is looked at is counted with the ended ones of the next reading. */
function childMs(pid: number): number {
  try {
    return processorMs(pid);
  } catch {
    return 0;
  }
}

function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The name of the program comes second, in brackets, and may hold anything; count from behind it.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The time that all cores together worked, and that the host took away for other machines. */
export function machineMs(): number {
  const [all] = readFileSync("/proc/stat", "latin1").split("\n");
  const [user, nice, system, , , irq, softIrq, steal] = all!.split(/ +/).slice(1).map(Number);
  return (user! + nice! + system! + irq! + softIrq! + steal!) * msPerTick;
}

/** Resident memory in bytes: all of it, and the process's own part (without mapped files). */
export function residentMemory(pid: number): { all: number; own: number } {
  return { all: statusBytes(pid, "VmRSS"), own: statusBytes(pid, "RssAnon") };
}

/**
 * The most resident memory since the start of the process, or since the kernel was told to forget it. Unlike samples,
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
