// Opens the rate limits of this process: in its memory, or shared with others in Redis.
import type { Config } from "../config/config.ts";
import type { Limits } from "./limiter.ts";
import { MemoryLimiter } from "./memory.ts";

/**
 * `epoch` separates one Hearth's buckets from those of others in the same Redis; `hear` is called once when Redis
 * answers but refuses writes.
 */
export async function openLimits(
  { redisUrl }: Config,
  epoch: string,
  hear: (trouble: string) => void,
): Promise<Limits> {
  if (redisUrl === undefined)
    return { of: (_name, rates) => new MemoryLimiter(rates), trouble: undefined, close() {} };
  const { RedisLimits } = await import("./redis.ts");
  return RedisLimits.open(redisUrl, epoch, hear);
}
