// Workload of the generator: opens sockets and keeps them open as an idle client does, with heartbeats.
import type { HoldJob, HoldReport } from "./jobs.ts";
import { openListeners } from "./listeners.ts";

const heartbeatMs = 30_000;

export async function runHold(job: HoldJob, released: Promise<void>): Promise<HoldReport> {
  let lost = 0;
  let ending = false;
  const listeners = await openListeners(job.target, job.listeners, (reason) => {
    if (ending) return;
    lost++;
    console.error(reason);
  });
  const open = listeners.sockets.length;
  console.log(JSON.stringify({ open, lost } satisfies HoldReport));

  // Heartbeats are evenly spread, as those of independent clients would be.
  let turn = 0;
  const heartbeat = setInterval(
    () => listeners.sockets[turn++ % open]?.send('{"type":"PING"}'),
    heartbeatMs / Math.max(1, open),
  );
  await released;
  clearInterval(heartbeat);
  ending = true;
  listeners.close();
  return { open, lost };
}
