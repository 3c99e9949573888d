// Which web pages may make a browser call us: the public URL's, our own addresses, and those in TRUSTED_ORIGINS.
// Without a public URL also a page at the called address itself, if nobody outside can own that address.
import { networkInterfaces } from "node:os";
import type { House } from "../house/house.ts";
import { isLoopback, isOfHome, isWildcard } from "./addresses.ts";

/** True if the Origin and Host headers allow a state-changing request or a socket. */
export function isTrustedOrigin(house: House, headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") !== "cross-site";
  if (trustedOrigins(house).includes(origin)) return true;
  return house.config.publicUrl === undefined && isAskedAt(origin, headers.get("host") ?? "");
}

/** A host with an optional port, as browsers write them in Host and Origin. */
const plainHost = /^(\[[\da-f:]+\]|[a-z\d._-]+)(?::[1-9]\d{0,4})?$/;

/**
 * True if the page comes from the host and port that it calls, and the host is one of a home network. A name that
 * others own may resolve to this machine, so that their page calls us as its own origin (DNS rebinding). Only the plain
 * spelling counts: browsers never send hosts that they would normalize (127.1, 0x7f.1, one with a trailing dot).
 */
function isAskedAt(origin: string, host: string): boolean {
  const written = host.toLowerCase();
  const name = plainHost.exec(written)?.[1];
  if (name === undefined || !isOfHome(name)) return false;
  return ["http", "https"].some((scheme) => {
    const url = URL.parse(`${scheme}://${written}`);
    return url?.hostname === name && url.origin === origin;
  });
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
