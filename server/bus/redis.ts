// Opens the Redis carrier: a wrong REDIS_URL is reported at once, a Redis that is away is waited for.
import { setTimeout as sleep } from "node:timers/promises";
import { CannotStart } from "../cannot-start.ts";
import { deadline } from "../deadline.ts";
import {
  type Client,
  connection,
  longestPauseMs,
  RedisCarrier,
  type RedisOptions,
  reasonOf,
  startMs,
  Troubles,
} from "./redis-carrier.ts";
import type { Carrier } from "./shared.ts";

/** The oldest version with sharded channels. */
const oldestVersion = 7;

/**
 * Throws CannotStart with a sentence when Redis rejects REDIS_URL, or is too old. A Redis that is away, full or fails
 * is retried, and carries texts once it is there.
 */
export async function openRedis(options: RedisOptions): Promise<Carrier> {
  const { carrier, fault } = await tryRedis(options);
  if (fault && isOfSettings(fault)) {
    carrier.close();
    throw cannotUse(fault);
  }
  return carrier;
}

/** Returns a carrier that keeps retrying, and the error of its first try. */
export async function tryRedis({ url, epoch, key, at, dropped, hear, pulse }: RedisOptions) {
  let hasBegun = false;
  const pause = (retries: number, cause: Error) =>
    !hasBegun && isOfSettings(cause) ? cause : Math.min(50 * 2 ** retries, longestPauseMs);
  const client = connection(url, pause);
  const troubles = new Troubles(hear);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const note = (error: Error) => {
    troubles.note(reasonOf(error));
    failed.reject(error);
  };
  client.on("error", note);
  const carrier = new RedisCarrier(client, {
    prefix: `hearth:${epoch}:`,
    ...{ key, at, dropped, troubles, pulse },
  });
  const trial = client.connect().then(() => beginWhenThere(client, carrier, note));
  trial.catch(note);
  const inTime = deadline(startMs, () => new Error("it does not answer"));
  const fault = await inTime(Promise.race([trial, failed.promise])).then(
    () => undefined,
    (error: Error) => error,
  );
  hasBegun = true;
  carrier.watch();
  return { carrier, fault };
}

/** Retries until the carrier has begun, as the connection may be lost again. Rejects when a retry is of no use. */
async function beginWhenThere(
  client: Client,
  carrier: RedisCarrier,
  note: (error: Error) => void,
): Promise<void> {
  for (;;) {
    try {
      await needNewEnough(client);
      return await carrier.begin();
    } catch (error) {
      if (!client.isOpen || isOfSettings(error as Error)) throw error;
      note(error as Error);
    }
    await sleep(longestPauseMs);
  }
}

class TooOld extends Error {}

async function needNewEnough(client: Client): Promise<void> {
  const version = /redis_version:(\d+)/.exec(await client.info("server"))?.[1] ?? "0";
  if (Number(version) < oldestVersion)
    throw new TooOld(`it is Redis ${version}, and version ${oldestVersion} or newer is needed`);
}

/** True if Redis rejects the user, password or database of REDIS_URL, or is too old: that does not pass by itself. */
function isOfSettings(error: Error): boolean {
  return (
    error instanceof TooOld ||
    /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|Client sent AUTH|invalid password|DB index|invalid DB))/.test(
      error.message,
    )
  );
}

export function cannotUse(fault: Error): CannotStart {
  return new CannotStart(`The Redis in REDIS_URL cannot be used: ${reasonOf(fault)}.`, { cause: fault });
}
