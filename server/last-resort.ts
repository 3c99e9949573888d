// Kills a process whose event loop is blocked, by a thread beside it: a timer of that event loop would never fire.
import { write } from "node:fs";
import { isMainThread, Worker, workerData } from "node:worker_threads";
import { threadFile } from "./own-files.ts";

/** Kills this process with SIGKILL after `ms` milliseconds, unless it has ended by then. Returns the thread. */
export function killAfter(ms: number): Worker {
  const thread = new Worker(threadFile("server/last-resort.ts"), { workerData: ms });
  thread.unref();
  return thread;
}

if (!isMainThread) {
  setTimeout(() => {
    // Written directly to the descriptor: the logger runs in the blocked event loop.
    write(2, '{"level":"error","msg":"the event loop stands still: the process kills itself"}\n', () => {});
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 100);
  }, workerData);
}
