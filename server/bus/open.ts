// The bus of this process: its own alone, or one that it shares with others through Redis.
import type { Config } from "../config/config.ts";
import type { Log } from "../telemetry/log.ts";
import type { Bus } from "./bus.ts";
import { memoryBus } from "./memory.ts";
import { SharedBus } from "./shared.ts";

/** `epoch` names the log whose events it carries. Throws CannotStart with a sentence when Redis cannot be used. */
export async function openBus({ redisUrl }: Config, epoch: string, log: Log): Promise<Bus> {
  const failed = (error: unknown) => log.error({ err: error }, "what was committed could not be told to all");
  if (redisUrl === undefined) return memoryBus(failed);
  const { openRedis } = await import("./redis.ts");
  const hear = (trouble: string | undefined) =>
    trouble === undefined
      ? log.info("Redis is back")
      : log.warn({ trouble }, "Redis is away: what other processes commit comes by way of the database");
  return new SharedBus(await openRedis({ url: redisUrl, epoch, hear }), failed);
}
