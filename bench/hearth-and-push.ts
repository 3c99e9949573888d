// The real server, with its pushes routed to the bench's own push service.
import { readConfig } from "../server/config/config.ts";
import { features } from "../server/features.ts";
import { openHouse } from "../server/open.ts";
import { network } from "../server/outbound/network.ts";
import { certificate } from "../tests/doubles/push-certificate.ts";

const { house, url } = await openHouse(readConfig(), { features });
network(house).current = {
  // Any public address will do: the server checks it, but never connects to it.
  lookup: async () => ["93.184.215.14"],
  route: () => ({ host: "127.0.0.1", port: Number(process.env.PUSH_PORT), ca: certificate }),
};
console.log(`Hearth is ready at ${url}`);
