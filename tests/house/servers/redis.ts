// A private Redis for tests: Debian's binary on a free port, without persistence, ended with this process.
import { spawn, spawnSync } from "node:child_process";
import { createClient } from "@redis/client";
import { freePort } from "../machine/port.ts";
import { standStill } from "../machine/standing-still.ts";

export interface PrivateRedis extends AsyncDisposable {
  url: string;
  readonly pid: number;
  /** Stops the server by SIGSTOP; its connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Ends the server at once; its data is lost. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): void;
  /** Deletes all keys. */
  flush(): Promise<void>;
  keys(): Promise<string[]>;
  /** The remaining time to live of a key, in milliseconds. */
  lastsMs(key: string): Promise<number>;
  /** Number of calls of this command since the start. */
  calls(command: string): Promise<number>;
}

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** Returns undefined where no Redis is installed. `password`: if given, clients have to authenticate. */
export async function startRedis(password = ""): Promise<PrivateRedis | undefined> {
  if (!hasRedis) return undefined;
  const port = await freePort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--requirepass", password];
  const spawned = () => spawn("redis-server", options, { cwd: "/", stdio: "ignore" });
  let server = spawned();
  const kill = async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    if (server.kill("SIGKILL")) await ended;
  };
  const reap = () => server.kill("SIGKILL");
  process.on("exit", reap);
  const url = `redis://${password && `:${password}@`}127.0.0.1:${port}`;
  const client = createClient({ url, socket: { reconnectStrategy: 20 } });
  client.on("error", () => {});
  await client.connect();
  return {
    url,
    get pid() {
      return server.pid ?? 0;
    },
    freeze: () => void standStill(server.pid),
    thaw: () => server.kill("SIGCONT"),
    kill,
    restart() {
      server = spawned();
    },
    flush: async () => void (await client.flushAll()),
    keys: () => client.keys("*"),
    lastsMs: (key) => client.pTTL(key),
    async calls(command) {
      const told = await client.info("commandstats");
      return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, "m").exec(told)?.[1] ?? 0);
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
      await kill();
      process.off("exit", reap);
    },
  };
}
