// The facts about a Redis that `hearth doctor` reports: its version, memory and clock.
import { deadline } from "../deadline.ts";
import { cannotUse, tryRedis } from "./redis.ts";
import { type Client, connection, startMs } from "./redis-carrier.ts";

interface RedisFacts {
  version: string;
  /** True if its memory has a limit. */
  isBounded: boolean;
  /** The eviction policy, which applies at the limit. */
  policy: string;
}

/** Throws CannotStart unless a text sent through Redis arrives. */
export async function lookAtRedis(url: string): Promise<RedisFacts> {
  const { carrier, fault } = await tryRedis({
    url,
    epoch: "doctor",
    key: "doctor",
    at: Date.now(),
    dropped: () => {},
    hear: () => {},
  });
  carrier.close();
  if (fault) throw cannotUse(fault);
  return asked(url, async (client) => {
    const facts = `${await client.info("server")}\n${await client.info("memory")}`;
    const fact = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(facts)?.[1] ?? "";
    return {
      version: fact("redis_version"),
      isBounded: Number(fact("maxmemory")) > 0,
      policy: fact("maxmemory_policy"),
    };
  });
}

/** The time of Redis's clock, in milliseconds since 1970. */
export function timeOfRedis(url: string): Promise<number> {
  return asked(url, async (client) => {
    const [seconds, micros] = await client.sendCommand<[string, string]>(["TIME"]);
    return Number(seconds) * 1000 + Number(micros) / 1000;
  });
}

async function asked<T>(url: string, ask: (client: Client) => Promise<T>): Promise<T> {
  const client = connection(url, (_, cause) => cause);
  client.on("error", () => {});
  const inTime = deadline(startMs, () => new Error("it does not answer"));
  try {
    await inTime(client.connect());
    return await inTime(ask(client));
  } finally {
    client.destroy();
  }
}
