// A private Redis for tests: Debian's binary on a free port, with nothing on the disk, that goes with the process.
import { spawn, spawnSync } from "node:child_process";
import { createClient } from "@redis/client";
import { freePort } from "./port.ts";

export interface PrivateRedis extends AsyncDisposable {
  url: string;
  /** It stands still, and its connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Forgets all that it holds. */
  flush(): Promise<void>;
  keys(): Promise<string[]>;
}

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** Undefined where no Redis is installed. */
export async function startRedis(): Promise<PrivateRedis | undefined> {
  if (!hasRedis) return undefined;
  const port = await freePort();
  const server = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
    cwd: "/",
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const reap = () => server.kill("SIGKILL");
  process.on("exit", reap);
  const url = `redis://127.0.0.1:${port}`;
  const client = createClient({ url, socket: { reconnectStrategy: 20 } });
  client.on("error", () => {});
  await client.connect();
  return {
    url,
    freeze: () => server.kill("SIGSTOP"),
    thaw: () => server.kill("SIGCONT"),
    flush: async () => void (await client.flushAll()),
    keys: () => client.keys("*"),
    async [Symbol.asyncDispose]() {
      client.destroy();
      reap();
      await ended;
      process.off("exit", reap);
    },
  };
}
