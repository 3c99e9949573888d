// The bus of this process: its own alone, or one of several processes, who hear each other sooner through Redis.
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import type { Log } from "../telemetry/log.ts";
import type { Bus } from "./bus.ts";
import { memoryBus } from "./memory.ts";
import { noCarrier, SharedBus } from "./shared.ts";

interface Parts {
  config: Config;
  database: Database;
  /** Names the log whose events are carried. */
  epoch: string;
  log: Log;
}

/** Throws CannotStart with a sentence when Redis cannot be used. */
export async function openBus({ config: { redisUrl }, database, epoch, log }: Parts): Promise<Bus> {
  const failed = (error: unknown) => log.error({ err: error }, "what was committed could not be told to all");
  if (database.engine === "sqlite") return memoryBus(failed);
  if (redisUrl === undefined) return new SharedBus(noCarrier, failed);
  const { openRedis } = await import("./redis.ts");
  const hear = (trouble: string | undefined) =>
    trouble === undefined
      ? log.info("Redis is back")
      : log.warn({ trouble }, "Redis is away: what other processes commit comes by way of the database");
  return new SharedBus(await openRedis({ url: redisUrl, epoch, hear }), failed);
}
