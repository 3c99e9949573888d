// Three processes that are one Hearth, with a PostgreSQL and a Redis of their own, and a wire for each to each.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../house/folder.ts";
import { freePort } from "../house/port.ts";
import { type PrivatePostgres, startPostgres } from "../house/postgres.ts";
import { type ServerProcess, startServer } from "../house/process.ts";
import { type PrivateRedis, startRedis } from "../house/redis.ts";
import { Wire } from "./wire.ts";

export interface Citizen {
  url: string;
  /** The wires of this process. */
  toPostgres: Wire;
  toRedis: Wire;
  /** `kill -9`, and a new start at the same address. */
  killAndStart(): Promise<void>;
  /** SIGTERM, and a new start at the same address. */
  roll(): Promise<void>;
  /** How it ended by itself; undefined while it runs. */
  ended(): string | undefined;
}

export interface Town extends AsyncDisposable {
  citizens: readonly Citizen[];
  postgres: PrivatePostgres;
  redis: PrivateRedis;
  /** An address that leads to one of them, to another each time. */
  anywhere: string;
}

export async function openTown(count: number): Promise<Town> {
  await using stack = new AsyncDisposableStack();
  const folder = temporaryFolder();
  stack.defer(() => folder.remove());
  const postgres = stack.use((await startPostgres(false))!);
  const redis = stack.use((await startRedis())!);
  const citizens: Citizen[] = [];
  const ports: number[] = [];
  for (let i = 0; i < count; i++) {
    const port = await freePort();
    const dataDir = join(folder.path, `process-${i}`);
    mkdirSync(dataDir);
    ports.push(port);
    citizens.push(await openCitizen(stack, { port, dataDir, postgres: postgres.url, redis: redis.url }));
  }
  const anywhere = await Wire.open(ports);
  stack.defer(() => anywhere.close());
  const moved = stack.move();
  return {
    citizens,
    postgres,
    redis,
    anywhere: `http://127.0.0.1:${anywhere.port}`,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

interface Place {
  port: number;
  dataDir: string;
  postgres: string;
  redis: string;
}

async function openCitizen(stack: AsyncDisposableStack, place: Place): Promise<Citizen> {
  const toPostgres = await Wire.open([Number(new URL(place.postgres).port)]);
  const toRedis = await Wire.open([Number(new URL(place.redis).port)]);
  stack.defer(() => {
    toPostgres.close();
    toRedis.close();
  });
  const settings = {
    PORT: String(place.port),
    DATA_DIR: place.dataDir,
    DATABASE_URL: through(place.postgres, toPostgres),
    REDIS_URL: through(place.redis, toRedis),
    LOG_LEVEL: "warn",
  };
  let server: ServerProcess = await startServer({ settings });
  stack.defer(() => server.kill());
  const startAgain = async () => {
    server = await startServer({ settings, patienceMs: 60_000 });
  };
  return {
    url: server.url,
    toPostgres,
    toRedis,
    async killAndStart() {
      await server.kill();
      await startAgain();
    },
    async roll() {
      await server.stop();
      await startAgain();
    },
    ended: () => server.endedBy(),
  };
}

function through(address: string, wire: Wire): string {
  const url = new URL(address);
  url.port = String(wire.port);
  return url.href;
}
