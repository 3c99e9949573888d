// Recurring work of the house and its features: small steps, one at a time, never in the way of a request for long.

import { StorageFault } from "../database/write-gate.ts";
import { noteTime } from "./clock.ts";
import type { Job } from "./feature.ts";
import type { House } from "./house.ts";
import { pruneLog } from "./log-table.ts";
import { forgetNotices } from "./notices.ts";
import { sweeping } from "./sweeping.ts";

const pruneEventLog: Job = {
  name: "prune the log",
  everyMs: 600_000,
  deletesByAge: true,
  run: pruneLog,
};

const noteAlive: Job = {
  name: "note that the server is alive",
  everyMs: 600_000,
  async run(house) {
    await noteTime(house.database, house.clock);
    return false;
  },
};

/** The pause after which a job that has more to do goes on, in milliseconds. */
const pauseMs = 50;

export interface Jobs {
  /** Resolves when the jobs that are under way have ended. */
  stop(): Promise<void>;
}

/** Starts the recurring jobs of the house and its features, each for the first time within a second. */
export function startJobs(house: House): Jobs {
  const timers = new Map<Job, ReturnType<typeof setTimeout>>();
  const underWay = new Set<Promise<void>>();
  let stopped = false;
  let isAway = false;

  function begin(job: Job): void {
    const running = run(job).finally(() => underWay.delete(running));
    underWay.add(running);
  }

  async function run(job: Job): Promise<void> {
    let more = false;
    try {
      if (!job.deletesByAge || house.clock.mayDelete()) {
        more = await job.run(house);
        isAway = false;
      }
    } catch (error) {
      if (!stopped) report(job, error);
    }
    if (!stopped)
      timers.set(
        job,
        setTimeout(() => begin(job), more ? pauseMs : job.everyMs),
      );
  }

  /**
   * Logs the error of a job. One line is enough for a database that is away, and the write gate has logged a disk that
   * takes no writes.
   */
  function report(job: Job, error: unknown): void {
    if (!house.database.isAway(error)) {
      house.log.error({ err: error, job: job.name }, "a recurring job failed");
    } else if (!isAway && !(error instanceof StorageFault)) {
      isAway = true;
      house.log.error({ err: error, job: job.name }, "the database is away; recurring jobs wait for it");
    }
  }

  const featureJobs = house.features.flatMap((feature) => feature.jobs ?? []);
  for (const job of [noteAlive, pruneEventLog, forgetNotices, sweeping, ...featureJobs]) {
    timers.set(
      job,
      setTimeout(() => begin(job), Math.min(job.everyMs, 1000)),
    );
  }
  return {
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
