// A private PostgreSQL and Redis for one run, stopped with it, and a Hearth of several processes on them.
import pg from "pg";
import { type PrivatePostgres, startPostgres } from "../tests/house/servers/postgres.ts";
import { type PrivateRedis, startRedis } from "../tests/house/servers/redis.ts";
import { type RunningServer, startHearth } from "./servers.ts";

export interface Backends extends AsyncDisposable {
  postgres: PrivatePostgres;
  redis: PrivateRedis;
  /** Creates a database. Returns its URL. */
  database(name: string): Promise<string>;
}

/** Returns undefined when PostgreSQL or Redis is not installed. */
export async function startBackends(): Promise<Backends | undefined> {
  const postgres = await startPostgres(true);
  const redis = await startRedis();
  const end = async () => {
    await postgres?.[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
  };
  if (!postgres || !redis) {
    await end();
    return undefined;
  }
  return {
    postgres,
    redis,
    async database(name) {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Starts a process on one of these databases. Shared processes of one database form one Hearth through Redis. */
export function startProcess(
  { redis }: Backends,
  databaseUrl: string,
  isShared: boolean,
  logLevel?: string,
): Promise<RunningServer> {
  const settings: Record<string, string> = isShared ? { REDIS_URL: redis.url } : {};
  return startHearth({ databaseUrl, core: "any", logLevel, settings });
}
