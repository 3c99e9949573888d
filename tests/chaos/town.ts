// Three processes that form one Hearth, with a private PostgreSQL and Redis, and a wire from each process to both.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { standStill } from "../house/machine/standing-still.ts";
import { type PrivatePostgres, startPostgres } from "../house/servers/postgres.ts";
import { type PrivateRedis, startRedis } from "../house/servers/redis.ts";
import { isWaitedFor } from "./catching.ts";
import { Wire } from "./wire.ts";

export interface Citizen {
  /** The application_name of its connections to PostgreSQL. */
  name: string;
  url: string;
  /** The wires of this process. */
  toPostgres: Wire;
  toRedis: Wire;
  /** Stops the process until it is thawed; its connections stay open. */
  freeze(): void;
  thaw(): void;
  /** `kill -9`, and a restart at the same address. */
  killAndStart(): Promise<void>;
  /** SIGTERM, and a restart at the same address. */
  roll(): Promise<void>;
  /** The exit code or signal if it ended by itself; undefined while it runs. */
  ended(): string | undefined;
}

export interface Town extends AsyncDisposable {
  citizens: readonly Citizen[];
  postgres: PrivatePostgres;
  redis: PrivateRedis;
  /** An address whose connections go to the processes in turn. */
  anywhere: string;
  /** True if other transactions wait for row locks of this process's open transaction. */
  isWaitedFor(citizen: Citizen): Promise<boolean>;
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
    citizens.push(
      await openCitizen(stack, {
        name: `process-${i}`,
        port,
        dataDir,
        postgres: postgres.url,
        redis: redis.url,
      }),
    );
  }
  const anywhere = await Wire.open(ports);
  stack.defer(() => anywhere.close());
  const moved = stack.move();
  return {
    isWaitedFor: ({ name }) => isWaitedFor(postgres.url, name),
    citizens,
    postgres,
    redis,
    anywhere: `http://127.0.0.1:${anywhere.port}`,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

interface Place {
  name: string;
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
    DATABASE_URL: `${through(place.postgres, toPostgres)}?application_name=${place.name}`,
    REDIS_URL: through(place.redis, toRedis),
    LOG_LEVEL: "warn",
  };
  let server: ServerProcess = await startServer({ settings });
  stack.defer(() => server.kill());
  const startAgain = async () => {
    server = await startServer({ settings });
  };
  return {
    name: place.name,
    url: server.url,
    toPostgres,
    toRedis,
    freeze: () => void standStill(server.pid),
    thaw: () => void process.kill(server.pid, "SIGCONT"),
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
