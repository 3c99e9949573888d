// The measured window: leaves out the warm-up, and reads both processes' processor time at its start and end.
import { familyMs, machineMs, processorMs } from "../process-stats.ts";
import type { Amount, Measured, Watched } from "./jobs.ts";

interface Stopwatch {
  /** Counts one answer. Returns whether another request should be sent. */
  lap(latencyMs: number): boolean;
  result(): Measured;
}

interface Window {
  warmup: Amount;
  measured: Amount;
  watched?: Watched;
}

export function createStopwatch(pid: number, { warmup, measured, watched = {} }: Window): Stopwatch {
  const latencies: number[] = [];
  let phase: "warmup" | "measured" | "over" = "warmup";
  let answers = 0;
  let start = reading(pid, watched);
  let end = start;

  function reached(amount: Amount): boolean {
    if ("answers" in amount) return answers >= amount.answers;
    return performance.now() - start.at >= amount.seconds * 1000;
  }

  function lap(latencyMs: number): boolean {
    answers++;
    if (phase === "measured") latencies.push(latencyMs);
    if (phase === "warmup" && reached(warmup)) {
      phase = "measured";
      answers = 0;
      start = reading(pid, watched);
    } else if (phase === "measured" && reached(measured)) {
      phase = "over";
      end = reading(pid, watched);
    }
    return phase !== "over";
  }

  function result(): Measured {
    const ms = end.at - start.at;
    const serverMs = end.serverMs - start.serverMs;
    const loadMs = end.loadMs - start.loadMs;
    const sorted = Float64Array.from(latencies).sort();
    return {
      answers: latencies.length,
      seconds: ms / 1000,
      perSecond: latencies.length / (ms / 1000),
      p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      serverCpuMs: serverMs,
      watchedCpuMs: Object.fromEntries(
        end.watchedMs.map(([name, each], index) => [name, each - (start.watchedMs[index]?.[1] ?? 0)]),
      ),
      serverBusy: serverMs / ms,
      loadBusy: loadMs / ms,
      othersBusy: Math.max(0, (end.machineMs - start.machineMs - serverMs - loadMs) / ms),
    };
  }

  return { lap, result };
}

function reading(pid: number, watched: Watched) {
  return {
    at: performance.now(),
    serverMs: processorMs(pid),
    watchedMs: Object.entries(watched).map(([name, each]) => [name, familyMs(each)] as const),
    loadMs: processorMs(process.pid),
    machineMs: machineMs(),
  };
}
