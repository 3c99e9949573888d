// Several processes that form one Hearth: one PostgreSQL, one Redis, and a folder for each process.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { TestPerson } from "../people/people.ts";
import { type PrivateRedis, startRedis } from "../servers/redis.ts";
import { makeHouse, TestHouse } from "./engines.ts";

/** True if PostgreSQL and Redis are available here; test titles say so where they are not. */
export const canCluster =
  Bun.env.HEARTH_TEST_POSTGRES !== undefined && Bun.spawnSync(["which", "redis-server"]).success;

export interface Cluster extends AsyncDisposable {
  redis: PrivateRedis;
  /** The settings of one process, whose folder has this name. */
  settings(name: string): Record<string, string>;
}

export interface OpenCluster extends Cluster {
  houses: readonly TestHouse[];
}

/** Sets up the services of several processes; starts none of the processes. */
export async function makeCluster(more: Record<string, string> = {}): Promise<Cluster> {
  const redis = await startRedis();
  if (!redis) throw new Error("there is no Redis here");
  const first = await makeHouse("PostgreSQL", { REDIS_URL: redis.url, ...more });
  return {
    redis,
    settings(name) {
      const folder = join(first.settings.DATA_DIR ?? "", name);
      mkdirSync(folder, { recursive: true });
      return { ...first.settings, DATA_DIR: folder };
    },
    async [Symbol.asyncDispose]() {
      await first.end();
      await redis[Symbol.asyncDispose]();
    },
  };
}

/** Opens this many houses in this process, one after the other: the first migrates the database. */
export async function openCluster(count: number, more: Record<string, string> = {}): Promise<OpenCluster> {
  const cluster = await makeCluster(more);
  const houses = Array.from(
    { length: count },
    (_, i) => new TestHouse("PostgreSQL", cluster.settings(`house-${i}`), async () => {}),
  );
  for (const house of houses) await house.open();
  return {
    ...cluster,
    houses,
    async [Symbol.asyncDispose]() {
      for (const house of houses) await house.end();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** The same person, with their calls and sockets going to another process. */
export function at(url: string, person: TestPerson): TestPerson {
  return Object.assign(Object.create(TestPerson.prototype) as TestPerson, person, { host: { url } });
}
