// Ends a process whose event loop stands still, by a thread beside it: a timer of the process itself would never fire.
import { writeSync } from "node:fs";
import { isMainThread, Worker, workerData } from "node:worker_threads";

/** Kills this process with SIGKILL after so many milliseconds, whatever it is doing; unless it has ended by then. */
export function killAfter(ms: number): void {
  new Worker(new URL(import.meta.url), { workerData: ms }).unref();
}

if (!isMainThread) {
  setTimeout(() => {
    writeSync(2, '{"level":"error","msg":"the event loop stands still: the process kills itself"}\n');
    process.kill(process.pid, "SIGKILL");
  }, workerData);
}
