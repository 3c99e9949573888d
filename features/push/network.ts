// The one place where push touches the network: looks names up, and connects to addresses that were checked.
import { resolve4, resolve6 } from "node:dns/promises";
import { perHouse } from "../../server/house/house.ts";

export interface Network {
  /** All addresses of a name, in the order in which to try them. */
  lookup(name: string): Promise<string[]>;
  /** Where to connect for a checked address, and certificate authorities that count besides the usual ones. */
  route(address: string): { host: string; port: number; ca?: string };
}

/**
 * Tests put a local push service in its place, because loopback is refused and port 443 is taken; no setting can. The
 * checks are not in here: they look at what `lookup` returns, and only addresses that pass are routed.
 */
export const network = perHouse<{ current: Network }>(() => ({
  current: {
    lookup: addressesOf,
    route: (address) => ({ host: address, port: 443 }),
  },
}));

/**
 * Asks the name servers directly. The system's own look-up would hold a thread of the pool while they are silent, and
 * the syncs of the database need those threads.
 */
async function addressesOf(name: string): Promise<string[]> {
  const [four, six] = await Promise.allSettled([resolve4(name), resolve6(name)]);
  const addresses = [four, six].flatMap((each) => (each.status === "fulfilled" ? each.value : []));
  if (addresses.length === 0 && four.status === "rejected") throw four.reason;
  return addresses;
}
