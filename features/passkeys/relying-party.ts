// The relying party of passkeys: the domain that keys belong to, and the pages that may ask for them.
import { isIP } from "node:net";
import { Refusal } from "../../protocol/errors.ts";
import { isLoopback } from "../../server/caller/addresses.ts";
import { trustedOrigins } from "../../server/caller/origin.ts";
import type { House } from "../../server/house/house.ts";

export interface RelyingParty {
  id: string;
  origins: string[];
}

/**
 * The domain is that of the public URL. Browsers create passkeys for domains and for `localhost` only: a loopback or
 * wildcard address counts as `localhost`; with any other bare IP address there are no passkeys.
 */
export function relyingParty(house: House): RelyingParty {
  const { hostname } = new URL(house.publicUrl);
  const origins = trustedOrigins(house);
  if (isLoopback(hostname) || hostname === "0.0.0.0" || hostname === "[::]") {
    return { id: "localhost", origins };
  }
  if (isIP(hostname) === 0 && !hostname.startsWith("[")) return { id: hostname, origins };
  throw new Refusal(
    "not_configured",
    "Passkeys need a domain name, and this server's address is a number. Its owner can set PUBLIC_URL.",
  );
}
