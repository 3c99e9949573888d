// A real LiveKit server for tests of calls, if its binary is on this machine: reports joins and leaves to the house.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../machine/folder.ts";
import { freePort } from "../machine/port.ts";
import { until } from "../machine/waiting.ts";

const name = "livekit-server";
const key = "devkey";
const secret = "a secret of tests that is long enough for LiveKit";

/** Path of the binary, from LIVEKIT_SERVER or the PATH; undefined where it is missing. */
export const livekitPath = [
  Bun.env.LIVEKIT_SERVER ?? "",
  ...(Bun.env.PATH ?? "").split(":").map((folder) => join(folder, name)),
].find((path) => path !== "" && existsSync(path));

export class LiveKitServer {
  readonly settings: Readonly<Record<string, string>>;
  readonly #config: string;
  readonly #url: string;
  readonly #folder: TemporaryFolder;
  #process: Bun.Subprocess | undefined;

  private constructor(port: number, config: string, folder: TemporaryFolder) {
    this.#folder = folder;
    this.#url = `http://127.0.0.1:${port}`;
    this.#config = config;
    this.settings = {
      LIVEKIT_URL: `ws://127.0.0.1:${port}`,
      LIVEKIT_API_KEY: key,
      LIVEKIT_API_SECRET: secret,
    };
  }

  /** `housePort`: the port on which the house will listen for webhooks. */
  static async make(housePort: number): Promise<LiveKitServer> {
    const [port, tcp, udp] = [await freePort(), await freePort(), await freePort()];
    const folder = temporaryFolder();
    const config = join(folder.path, "livekit.yaml");
    writeFileSync(
      config,
      JSON.stringify({
        port,
        bind_addresses: ["127.0.0.1"],
        rtc: { tcp_port: tcp, udp_port: udp, node_ip: "127.0.0.1", enable_loopback_candidate: true },
        // A fake microphone's sound is a short beep each second.
        audio: { active_level: 80, min_percentile: 2, update_interval: 200, smooth_intervals: 4 },
        keys: { [key]: secret },
        webhook: { api_key: key, urls: [`http://127.0.0.1:${housePort}/api/v1/voice/webhook`] },
        logging: { level: "error" },
      }),
    );
    return new LiveKitServer(port, config, folder);
  }

  async start(): Promise<void> {
    if (!livekitPath) throw new Error("there is no LiveKit here");
    this.#process = Bun.spawn([livekitPath, "--config", this.#config], {
      stdout: "ignore",
      stderr: "ignore",
    });
    await until(
      async () => (await fetch(this.#url).catch(() => undefined))?.ok ?? false,
      "LiveKit does not start",
    );
  }

  async stop(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.exited;
    this.#process = undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    this.#folder.remove();
  }
}
