// The one place where push touches the network: names become addresses here, and checked addresses are reached.
import { lookup } from "node:dns/promises";
import { perHouse } from "../../server/house.ts";

export interface Network {
  /** All addresses of a name, in the order in which to try them. */
  lookup(name: string): Promise<string[]>;
  /** Where an address that was checked is connected to, and whose certificates count there besides the usual ones. */
  route(address: string): { host: string; port: number; ca?: string };
}

/**
 * Tests put a local push service in its place, because loopback is refused and port 443 is taken; no setting can.
 * The checks are not in here: they look at what `lookup` answers, and only what they let through is routed.
 */
export const network = perHouse<{ current: Network }>(() => ({
  current: {
    lookup: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    route: (address) => ({ host: address, port: 443 }),
  },
}));
