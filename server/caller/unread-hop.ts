// Text in a trusted proxy's X-Forwarded-For that is not an address: all its callers then count as the proxy. Reported
// once in the log, and by the doctor.
import type { House } from "../house/house.ts";
import { perHouse } from "../house/per-house.ts";

/** The most characters of the text that are kept. */
const longest = 100;

const seen = perHouse<{ hop: string | undefined }>("cache", () => ({ hop: undefined }));

/** The last such text that this process saw. */
export function unreadHop(house: House): string | undefined {
  return seen(house).hop;
}

export function noteUnreadHop(house: House, hop: string): void {
  const isFirst = seen(house).hop === undefined;
  seen(house).hop = hop.slice(0, longest);
  if (isFirst)
    house.log.warn(
      { hop: seen(house).hop },
      "a proxy of TRUSTED_PROXIES names no client's address in X-Forwarded-For, so all its callers share one limit: let it write the address alone",
    );
}
