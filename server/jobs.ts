// Recurring work of the house and its features: small steps, one at a time, never in the way of a request for long.
import type { Job } from "./feature.ts";
import type { House } from "./house.ts";
import { pruneLog } from "./outbox.ts";
import { sweeping } from "./sweeping.ts";

const pruneOutbox: Job = {
  name: "prune the log",
  everyMs: 600_000,
  run: (house) => pruneLog(house.database),
};

/** While a job says that there is more, it goes on after a pause this long. */
const pauseMs = 50;

export function startJobs(house: House): { stop(): void } {
  const timers = new Map<Job, ReturnType<typeof setTimeout>>();
  let stopped = false;

  async function run(job: Job): Promise<void> {
    let more = false;
    try {
      more = await job.run(house);
    } catch (error) {
      if (!stopped) house.log.error({ err: error, job: job.name }, "a recurring job failed");
    }
    if (!stopped)
      timers.set(
        job,
        setTimeout(() => run(job), more ? pauseMs : job.everyMs),
      );
  }

  for (const job of [pruneOutbox, sweeping, ...house.features.flatMap((feature) => feature.jobs ?? [])]) {
    timers.set(
      job,
      setTimeout(() => run(job), Math.min(job.everyMs, 1000)),
    );
  }
  return {
    stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
