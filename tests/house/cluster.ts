// Several houses in one test process that are one Hearth: one PostgreSQL, one Redis, and a folder for each.
import { type Engine, makeHouse, TestHouse } from "./engines.ts";
import { temporaryFolder } from "./folder.ts";
import { type PrivateRedis, startRedis } from "./redis.ts";

export interface Cluster extends AsyncDisposable {
  houses: readonly TestHouse[];
  redis: PrivateRedis;
}

const engine: Engine = "PostgreSQL";

/** Whether this machine has what it takes; a title says so where it has not. */
export const canCluster =
  Bun.env.HEARTH_TEST_POSTGRES !== undefined && Bun.spawnSync(["which", "redis-server"]).success;

/** Opens so many houses, one after the other: the first brings the tables up to date. */
export async function openCluster(count: number, settings: Record<string, string> = {}): Promise<Cluster> {
  const redis = await startRedis();
  if (!redis) throw new Error("there is no Redis here");
  const first = await makeHouse(engine, { REDIS_URL: redis.url, ...settings });
  const houses = [first];
  while (houses.length < count) {
    const folder = temporaryFolder();
    const more = { ...first.settings, DATA_DIR: folder.path };
    houses.push(new TestHouse(engine, more, async () => folder.remove()));
  }
  for (const house of houses) await house.open();
  return {
    houses,
    redis,
    async [Symbol.asyncDispose]() {
      // The first has the database, which goes with it.
      for (const house of houses.toReversed()) await house.end();
      await redis[Symbol.asyncDispose]();
    },
  };
}
