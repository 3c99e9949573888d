// The faults: each begins, lasts, and ends. The process that it hits changes from turn to turn.
import { catchCommit } from "./catching.ts";
import type { Citizen, Town } from "./town.ts";

interface Fault {
  name: string;
  /** Number of times, in the short run and in the long one. */
  times: readonly [short: number, long: number];
  /** True if processes that it does not hit take writes during it. */
  leavesOthers?: boolean;
  /** True if it leaves the process half-open connections to PostgreSQL, which carry nothing and do not end. */
  halfOpens?: boolean;
  /** Causes the fault, and undoes it after a limited time. */
  happen(town: Town, turn: number): Promise<void>;
}

export const picked = ({ citizens }: Town, turn: number): Citizen => citizens[turn % citizens.length]!;

export const isLong = Bun.env.HEARTH_CHAOS === "long";
/** Waits for the duration of a fault, in ms: capped in the short run, but still above every timeout for Redis. */
const away = (ms: number) => Bun.sleep(isLong ? ms : Math.min(ms, 5000));

/** Longer than the process's own timeout; in the short run also longer than `othersWaitMs` allows on a busy machine. */
const silentMs = isLong ? 16_000 : 25_000;

/** A process's connection to PostgreSQL goes silent while others wait for its commit. Returns that process. */
async function silentInCommit(town: Town, turn: number): Promise<Citizen> {
  const citizen = picked(town, turn);
  const { toPostgres } = citizen;
  await catchCommit(
    () => town.isWaitedFor(citizen),
    () => toPostgres.fallSilent(),
    () => toPostgres.mend(),
  );
  return citizen;
}

export const faults: readonly Fault[] = [
  {
    name: "a process is killed",
    times: [3, 20],
    happen: (town, turn) => picked(town, turn).killAndStart(),
  },
  {
    name: "a process is told to end",
    times: [3, 6],
    happen: (town, turn) => picked(town, turn).roll(),
  },
  {
    name: "Redis ends, and is back after 15 s",
    times: [1, 5],
    async happen({ redis }) {
      await redis.kill();
      await away(15_000);
      redis.restart();
    },
  },
  {
    name: "Redis forgets everything",
    times: [2, 5],
    happen: ({ redis }) => redis.flush(),
  },
  {
    name: "Redis is late by 2 s",
    times: [1, 3],
    async happen({ citizens }) {
      for (const { toRedis } of citizens) toRedis.delay(2000);
      await away(8000);
      for (const { toRedis } of citizens) toRedis.delay(0);
    },
  },
  {
    name: "PostgreSQL ends at once, and starts",
    times: [1, 5],
    async happen({ postgres }) {
      await postgres.stopAtOnce();
      await Bun.sleep(500);
      await postgres.restart();
    },
  },
  {
    name: "PostgreSQL stands still for 10 s",
    times: [1, 3],
    async happen({ postgres }) {
      postgres.freeze();
      await Bun.sleep(10_000);
      postgres.thaw();
    },
  },
  {
    // Longer than PostgreSQL's timeout, and long enough to show if others waited for its return.
    name: `a process stands still in the middle of a commit, for ${isLong ? 95 : 25} s`,
    times: [1, 2],
    leavesOthers: true,
    async happen(town, turn) {
      const citizen = picked(town, turn);
      await catchCommit(() => town.isWaitedFor(citizen), citizen.freeze, citizen.thaw);
      await Bun.sleep(isLong ? 95_000 : 25_000);
      citizen.thaw();
    },
  },
  {
    name: `a process's line to PostgreSQL is silent for ${silentMs / 1000} s, in the middle of a commit`,
    times: [1, 3],
    leavesOthers: true,
    halfOpens: true,
    async happen(town, turn) {
      const { toPostgres } = await silentInCommit(town, turn);
      await Bun.sleep(silentMs);
      toPostgres.mend();
    },
  },
  {
    name: "a process's connections to PostgreSQL are dead for good, in the middle of a commit",
    times: [1, 3],
    leavesOthers: true,
    halfOpens: true,
    async happen(town, turn) {
      const { toPostgres } = await silentInCommit(town, turn);
      toPostgres.strand();
      toPostgres.mend();
      await Bun.sleep(16_000);
    },
  },
  {
    name: "a process is cut off from Redis",
    times: [1, 3],
    async happen(town, turn) {
      const { toRedis } = picked(town, turn);
      toRedis.cut();
      await away(10_000);
      toRedis.mend();
    },
  },
  {
    name: "a process is cut off from PostgreSQL",
    times: [1, 3],
    async happen(town, turn) {
      const { toPostgres } = picked(town, turn);
      toPostgres.cut();
      await away(10_000);
      toPostgres.mend();
    },
  },
];
