// Which pages may make a browser call us: the public URL's, our own address, and those the settings trust.
import type { House } from "./house.ts";

/** Whether a state-changing request, or a socket, may come from where its headers say it comes from. */
export function isTrustedOrigin(house: House, headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") !== "cross-site";
  return trustedOrigins(house).includes(origin);
}

export function trustedOrigins(house: House): string[] {
  return [
    originOf(house.publicUrl),
    originOf(house.listeningUrl),
    ...localhostOf(house.listeningUrl),
    ...house.config.trustedOrigins,
  ];
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** A server that listens on the loopback address is called localhost by those who sit before it. */
function localhostOf(url: string): string[] {
  const { hostname, port } = new URL(url);
  return hostname === "127.0.0.1" || hostname === "[::1]" ? [originOf(`http://localhost:${port}`)] : [];
}
