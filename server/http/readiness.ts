// Readiness: whether a proxy may send people to this process, and which optional parts are not working.
import { askByHttp, textOf } from "../ask-by-http.ts";
import { deadline } from "../deadline.ts";
import type { House } from "../house/house.ts";
import { clocksApart } from "../processes/clocks-apart.ts";
import { isOk } from "../wire/answer.ts";

export interface Readiness {
  isReady: boolean;
  /** Sentences without a full stop: why the process is not ready, or which optional parts are not working. */
  says: string[];
}

/** Prefix of the sentence about the database while it can be read and accepts no writes. */
export const noWrites = "No writes are taken: ";
/** Prefix of the sentence about uploads while their disk or store accepts none. */
export const noUploads = "No uploads are taken: ";

/** The longest answer in bytes, which has a line for each part that is not working. */
const longestAnswer = 64 * 1024;

/** A disk or a server may not answer for hours; a proxy waits for some seconds. */
const inTime = deadline(2000, () => new Error("it does not answer"));

/** Ready when the database can be read: all other failures would be the same at every process. */
export async function readinessOf(house: House): Promise<Readiness> {
  const { database, blobs, bus, limits, isLeaving } = house;
  if (isLeaving) return { isReady: false, says: ["Hearth is stopping"] };
  const uploads = blobs.trouble();
  try {
    await inTime(database.ping());
  } catch {
    return { isReady: false, says: ["the database does not answer"] };
  }
  const missing = [
    about(noWrites, database.trouble),
    about(noUploads, await uploads),
    bus.trouble,
    limits.trouble,
    database.replica?.trouble,
    clocksApart(house).trouble,
  ];
  return { isReady: true, says: missing.filter((each) => each !== undefined) };
}

function about(begin: string, trouble: string | undefined): string | undefined {
  return trouble === undefined ? undefined : begin + trouble;
}

/** The body of /readyz: whether the process is ready, and a line for each part that is not working. */
export function readinessText({ isReady, says }: Readiness): string {
  return [...(isReady ? ["ready"] : []), ...says, ""].join("\n");
}

/** Requests the readiness of a running server. Rejects when it does not answer within `ms`. */
export async function askReadiness(url: string, ms: number): Promise<Readiness> {
  const answer = await askByHttp(`${url}/readyz`, { withinMs: ms, bodyMax: longestAnswer });
  const lines = textOf(answer).trim().split("\n");
  const isReady = isOk(answer);
  return { isReady, says: isReady ? lines.slice(1) : lines };
}
