// Recurring work of the house and its features: small steps, one at a time, that never delay a request for long.

import { StorageFault } from "../database/write-gate.ts";
import { noteTime } from "./clock.ts";
import type { Job } from "./feature.ts";
import type { House } from "./house.ts";
import { pruneLog } from "./log-table.ts";
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
  isEverywhere: true,
  async run(house) {
    await noteTime(house.database, house.clock);
    return false;
  },
};

/** The pause before a job with more to do continues, in milliseconds. */
const pauseMs = 50;

/** How long after the start claims of others may be those of a dead process, in milliseconds. */
const strangerMs = 20_000;

/** Starts the recurring jobs of the house and its features; each runs for the first time within a second. */
export function startJobs(house: House): Jobs {
  const featureJobs = house.features.flatMap((feature) => feature.jobs ?? []);
  return new Jobs(house, [noteAlive, pruneEventLog, ...house.others.jobs, sweeping, ...featureJobs]);
}

export class Jobs {
  readonly #house: House;
  readonly #timers = new Map<Job, ReturnType<typeof setTimeout>>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #begunAt = performance.now();
  /** Jobs that found the database away, which is back when one of them succeeds: other jobs may not use it. */
  readonly #waiting = new Set<Job>();
  #hasStopped = false;
  #hasMet = false;

  constructor(house: House, jobs: readonly Job[]) {
    this.#house = house;
    for (const job of jobs) this.#begin(job, Math.min(job.everyMs, 1000));
  }

  /** Resolves when the running jobs have ended. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#underWay);
    await this.#house.others.release().catch(() => {});
  }

  #begin(job: Job, afterMs: number): void {
    const begin = () => {
      const running = this.#run(job).finally(() => this.#underWay.delete(running));
      this.#underWay.add(running);
    };
    this.#timers.set(job, setTimeout(begin, afterMs));
  }

  async #run(job: Job): Promise<void> {
    let more = false;
    try {
      if (!job.deletesByAge || this.#house.clock.mayDelete()) {
        more = await this.#runOnce(job);
        if (this.#waiting.has(job)) this.#waiting.clear();
      }
    } catch (error) {
      if (!this.#hasStopped) this.#report(job, error);
    }
    if (!this.#hasStopped) this.#begin(job, more ? pauseMs : job.everyMs);
  }

  /** A job that another process runs is tried again at this process's next turn. */
  async #runOnce(job: Job): Promise<boolean> {
    const house = this.#house;
    if (job.isFor && !job.isFor(house)) return false;
    if (job.isEverywhere) return job.run(house);
    const more = await house.others.claim(job.name, () => job.run(house));
    if (more === undefined) this.#meet();
    return more ?? false;
  }

  /** Logs once that there are other processes; the lease of a dead one expires. */
  #meet(): void {
    const { config, log } = this.#house;
    if (this.#hasMet || config.redisUrl || performance.now() - this.#begunAt < strangerMs) return;
    this.#hasMet = true;
    log.warn(
      "another Hearth works on this database, and REDIS_URL is not set: each hears the other within a second, and limits count for each",
    );
  }

  /**
   * Logs the error of a job. One line is enough for a database that is away, and the write gate has logged a disk that
   * takes no writes.
   */
  #report(job: Job, error: unknown): void {
    const { database, log } = this.#house;
    if (!database.isAway(error)) {
      log.error({ err: error, job: job.name }, "a recurring job failed");
    } else if (!(error instanceof StorageFault)) {
      if (this.#waiting.size === 0)
        log.error({ err: error, job: job.name }, "the database is away; recurring jobs wait for it");
      this.#waiting.add(job);
    }
  }
}
