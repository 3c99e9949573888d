// The only network access for addresses that people enter: resolves names, and routes to addresses that were checked.
import { resolve4, resolve6 } from "node:dns/promises";
import { perHouse } from "../house/per-house.ts";

export interface Network {
  /** All addresses of a name, in the order in which to try them. */
  lookup(name: string): Promise<string[]>;
  /** The destination for a checked address and a port, and certificate authorities trusted besides the usual ones. */
  route(address: string, port: number): { host: string; port: number; ca?: string };
  /** Timeout of a request, in milliseconds; five seconds when left out. */
  patienceMs?: number;
}

/** For a whole request: from the first DNS query to the last byte, redirects included. */
const usualPatienceMs = 5000;

/** The timeout of a request on this network, in milliseconds. */
export function patienceOf(network: Network): number {
  return network.patienceMs ?? usualPatienceMs;
}

/**
 * Replaced in tests by hosts on loopback, because loopback is refused and ports 80 and 443 are taken; no setting can do
 * so. The checks are not in here: they look at what `lookup` returns, and only addresses that pass are routed.
 */
export const network = perHouse<{ current: Network }>("cache", () => ({
  current: {
    lookup: addressesOf,
    route: (address, port) => ({ host: address, port }),
  },
}));

/**
 * Queries the name servers directly. The system's own resolver would hold a thread of the pool while they are silent,
 * and the syncs of the database need those threads.
 */
async function addressesOf(name: string): Promise<string[]> {
  const [four, six] = await Promise.allSettled([resolve4(name), resolve6(name)]);
  const addresses = [four, six].flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  if (addresses.length === 0 && four.status === "rejected") throw four.reason;
  return addresses;
}
