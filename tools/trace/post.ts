// Traces one post from the request to the listener's event: SQLite, no nonce, one listener, one process.
import { join } from "node:path";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { Listener } from "../client/listener.ts";
import { call } from "../client/person.ts";
import { openRoom } from "../client/room.ts";
import type { Way } from "./recorder.ts";

const root = join(import.meta.dir, "../..");
/** Posts before the first one that counts, which fill the server's caches. */
const warmUps = 5;
const times = 3;

/** Returns the shortest of three traces: recurring work may come in between. */
export async function traceOfPost(): Promise<Way> {
  const folder = temporaryFolder();
  const server = startServer(folder.path);
  try {
    const url = await server.url();
    const room = await openRoom(url, { owner: "olga", channels: ["general"], members: ["lena"] });
    const heard = new Heard();
    const listener = new Listener(room.members.get("lena") ?? room.owner, ({ id }) => heard.add(id));
    await listener.start();
    const post = async () => {
      const channelId = room.channels.get("general");
      const { id } = await call<{ id: string }>(room.owner, "POST", `/channels/${channelId}/messages`, {
        content: "Good morning",
      });
      await heard.of(id);
    };
    for (let i = 0; i < warmUps; i++) await post();
    const ways: Way[] = [];
    for (let i = 0; i < times; i++) {
      await server.ask("start");
      await post();
      ways.push((await server.ask("stop")) as Way);
    }
    listener.stop();
    return ways.reduce((one, other) => (other.moves < one.moves ? other : one));
  } finally {
    await server.end();
    folder.remove();
  }
}

class Heard {
  readonly #ids = new Set<string>();
  readonly #waiting = new Map<string, () => void>();

  add(id: string): void {
    this.#ids.add(id);
    this.#waiting.get(id)?.();
  }

  async of(id: string): Promise<void> {
    if (this.#ids.has(id)) return;
    await new Promise<void>((resolve) => this.#waiting.set(id, resolve));
  }
}

function startServer(dataDir: string) {
  let answered = (_: unknown) => {};
  const child = Bun.spawn(
    [process.execPath, "--preload", join(import.meta.dir, "preload.ts"), "server/main.ts"],
    {
      cwd: root,
      env: { HOST: "127.0.0.1", PORT: "0", RATE_LIMITS: "off", LOG_LEVEL: "error", DATA_DIR: dataDir },
      stdout: "pipe",
      stderr: "inherit",
      ipc: (message) => answered(message),
    },
  );
  return {
    async url(): Promise<string> {
      let said = "";
      for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
        said += piece;
        const url = /^Hearth is ready at (\S+)$/m.exec(said)?.[1];
        if (url) return url;
      }
      throw new Error(`The server ended before it was ready: ${said}`);
    },
    ask(command: "start" | "stop"): Promise<unknown> {
      return new Promise((resolve) => {
        answered = resolve;
        child.send(command);
      });
    },
    async end(): Promise<void> {
      child.kill();
      await child.exited;
    },
  };
}

if (import.meta.main) {
  const { files, calls, moves } = await traceOfPost();
  console.log(`${files.join("\n")}\n${files.length} files, ${calls} calls, ${moves} moves`);
}
