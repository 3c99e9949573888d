// What goes wrong: each fault begins, lasts, and ends. What it does to whom is picked anew each time.
import type { Citizen, Town } from "./town.ts";

export interface Fault {
  name: string;
  /** How often: in the short run, and in the long one. */
  times: readonly [short: number, long: number];
  /** Does it, and undoes it after so many milliseconds at most. */
  happen(town: Town, turn: number): Promise<void>;
}

const picked = ({ citizens }: Town, turn: number): Citizen => citizens[turn % citizens.length]!;

export const isLong = Bun.env.HEARTH_CHAOS === "long";
/** Shorter in the short run, and still longer than anybody's patience with a Redis. */
const away = (ms: number) => Bun.sleep(isLong ? ms : Math.min(ms, 5000));

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
