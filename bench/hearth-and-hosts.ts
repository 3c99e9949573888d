// The real server, with every outside host replaced by the misbehaving ones.
import { readConfig } from "../server/config/config.ts";
import { features } from "../server/features.ts";
import { openHouse } from "../server/open.ts";
import { network } from "../server/outbound/network.ts";
import { networkOf } from "../tests/doubles/misbehaving-hosts.ts";

const { house, url } = await openHouse(readConfig(), { features });
network(house).current = networkOf(JSON.parse(process.env.HOST_PORTS ?? ""));
console.log(`Hearth is ready at ${url}`);
