// Which web pages may make a browser call us: the public URL's, our own addresses, and those in TRUSTED_ORIGINS.
import { networkInterfaces } from "node:os";
import type { House } from "../house/house.ts";
import { isLoopback, isWildcard } from "./addresses.ts";

/** Whether the Origin and Host headers allow a state-changing request or a socket. */
export function isTrustedOrigin(house: House, headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") !== "cross-site";
  return trustedOrigins(house).includes(origin);
}

export function trustedOrigins(house: House): string[] {
  return [originOf(house.publicUrl), ...ownOrigins(house.listeningUrl), ...house.config.trustedOrigins];
}

function originOf(url: string): string {
  return new URL(url).origin;
}

const known = new Map<string, string[]>();

/**
 * The listening URL under all names of this machine. They are looked up once, as a machine's addresses seldom change.
 */
function ownOrigins(listeningUrl: string): string[] {
  const origins = known.get(listeningUrl) ?? namesOf(new URL(listeningUrl));
  known.set(listeningUrl, origins);
  return origins;
}

function namesOf({ hostname, port, origin }: URL): string[] {
  const names = isWildcard(hostname) ? interfaces() : [];
  if (isLoopback(hostname) || isWildcard(hostname)) names.push("localhost");
  return [origin, ...names.map((name) => originOf(`http://${name}:${port}`))];
}

function interfaces(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
}
