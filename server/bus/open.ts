// Opens the bus: in memory for one process, or shared by several processes, which hear each other sooner through Redis.
import { randomBytes } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { decideOnce } from "../database/instance.ts";
import { timeOf } from "../database/postgres-clock.ts";
import type { Log } from "../telemetry/log.ts";
import type { Bus } from "./bus.ts";
import { memoryBus } from "./memory.ts";
import { noCarrier, SharedBus } from "./shared.ts";

interface Parts {
  config: Config;
  database: Database;
  /** Identifies the log whose events are carried. */
  epoch: string;
  log: Log;
}

const whyDropped = {
  forged:
    "a line came through Redis that no process of this Hearth signed, and was dropped, as all like it will be: somebody else may write to REDIS_URL",
  late: "a line came late through Redis, or once more, and was dropped, as all like it will be: what it tells comes by way of the database. This process stood still, the database's clock was set back, or somebody else may write to REDIS_URL",
};

/** Throws CannotStart with a sentence when Redis rejects REDIS_URL. */
export async function openBus({ config: { redisUrl }, database, epoch, log }: Parts): Promise<Bus> {
  const failed = (error: unknown) => {
    if (!database.isAway(error)) log.error({ err: error }, "what was committed could not be told to all");
  };
  if (database.engine === "sqlite") return memoryBus(failed);
  if (redisUrl === undefined) return new SharedBus(noCarrier, failed);
  const { openRedis } = await import("./redis.ts");
  const hear = (trouble: string | undefined) =>
    trouble === undefined
      ? log.info("Redis is back")
      : log.warn({ trouble }, "Redis is away: what other processes commit comes by way of the database");
  const key = await database.transaction((db) =>
    decideOnce(db, "bus_key", randomBytes(32).toString("base64url")),
  );
  const at = await timeOf(database.read);
  const dropped = (why: "forged" | "late") => log.warn(whyDropped[why]);
  return new SharedBus(await openRedis({ url: redisUrl, epoch, key, at, dropped, hear }), failed);
}
