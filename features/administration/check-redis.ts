// Checks the Redis that carries messages between processes.
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, reason } from "../../server/house/check.ts";

/** Undefined when none is set. */
export async function checkRedis({ redisUrl }: Config): Promise<Finding | undefined> {
  if (redisUrl === undefined) return undefined;
  const about = "Redis";
  try {
    const { lookAtRedis } = await import("../../server/bus/redis-facts.ts");
    const { version, isBounded, policy } = await lookAtRedis(redisUrl);
    if (isBounded && policy === "noeviction") {
      const says = `Redis ${version} takes nothing more once its memory is full, and then each process counts limits on rates for itself: set maxmemory-policy to volatile-ttl.`;
      return finding(about, "note", says);
    }
    return finding(about, "ok", `Redis ${version} carries what is sent through it.`);
  } catch (error) {
    return finding(about, "wrong", `${reason(error)}.`);
  }
}
