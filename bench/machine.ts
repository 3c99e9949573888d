// Describes the machine of a run, without which its figures mean nothing.
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { median } from "./medians.ts";
import { canPin } from "./processes.ts";
import { scratchIsMemory } from "./scratch.ts";

export interface Machine {
  date: string;
  processor: string;
  cores: number;
  statedMhz: number;
  /** Measured, because virtual machines often report a clock rate that is not the real one. */
  clockGhz: number;
  memoryGb: number;
  bun: string;
  pinned: boolean;
  temporaryFolderIsMemory: boolean;
}

export function describeMachine(): Machine {
  return {
    date: new Date().toISOString(),
    processor: processorSays("model name") ?? "unknown",
    cores: cpus().length,
    statedMhz: Math.round(Number(processorSays("cpu MHz") ?? 0)),
    clockGhz: measureClock(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    bun: Bun.version,
    pinned: canPin,
    temporaryFolderIsMemory: scratchIsMemory(),
  };
}

function processorSays(name: string): string | undefined {
  return new RegExp(`^${name}\\s*: (.*)$`, "m").exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1];
}

/** Returns the clock rate in GHz: on today's processors, dependent multiplications take three cycles each. */
function measureClock(): number {
  const count = 10_000_000;
  const tries = Array.from({ length: 9 }, () => {
    const start = performance.now();
    if (multiplyInARow(count, 0x3333) === 0) throw new Error("a product of odd numbers is never zero");
    return (count * 3) / (performance.now() - start) / 1e6;
  });
  return Math.round(median(tries) * 100) / 100;
}

function multiplyInARow(count: number, factor: number): number {
  let product = 1;
  for (let step = 0; step < count; step++) product = Math.imul(product, factor);
  return product;
}
