// Starts a server under test, Hearth or a reference, and returns its address and process id.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./load/jobs.ts";
import { type Core, type Program, start, stop } from "./processes.ts";
import { type Scratch, scratchFolder } from "./scratch.ts";

export interface RunningServer extends AsyncDisposable {
  origin: string;
  target: Target;
  /** From the start of the process to the line that says it is ready. */
  startMs: number;
}

export interface HearthOptions {
  /** The data folder; a fresh temporary one by default. */
  dataDir?: string;
  core?: Core;
  databaseUrl?: string;
  logLevel?: string;
  /** Keeps the default rate limits. Otherwise they are off, because they would determine the figures. */
  limited?: boolean;
  /** The port of the bench's own push service, which then receives all pushes. */
  pushPort?: number;
  /** The port at which the server reports the turns of its event loop; measuring them keeps one core busy. */
  turnsPort?: number;
  /** Ports of the misbehaving hosts as JSON; all host names then resolve to them. */
  hostPorts?: string | undefined;
  /** The folder of another checkout whose Hearth is started. */
  checkout?: string;
  /** Further environment variables. */
  settings?: Readonly<Record<string, string>>;
}

type Reference = "insert" | "publish" | "static";

/** The folder of this checkout. */
export const root = join(import.meta.dir, "..");
const patienceMs = 20_000;

export async function startHearth(options: HearthOptions = {}): Promise<RunningServer> {
  const scratch = scratchFolder();
  const entry = entryFor(options);
  return startServer(join(options.checkout ?? root, entry), scratch, options.core ?? 0, {
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: options.dataDir ?? join(scratch.path, "data"),
    RATE_LIMITS: options.limited ? "on" : "off",
    ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
    ...(options.turnsPort ? { TURNS_PORT: String(options.turnsPort) } : {}),
    ...(options.pushPort ? { PUSH_PORT: String(options.pushPort) } : {}),
    ...(options.hostPorts ? { HOST_PORTS: options.hostPorts } : {}),
    ...(options.logLevel ? { LOG_LEVEL: options.logLevel } : {}),
    ...options.settings,
  });
}

function entryFor({ pushPort, turnsPort, hostPorts }: HearthOptions): string {
  if (hostPorts !== undefined) return "bench/hearth-and-hosts.ts";
  if (pushPort !== undefined) return "bench/hearth-and-push.ts";
  return turnsPort === undefined ? "server/main.ts" : "bench/hearth-and-turns.ts";
}

export async function startReference(name: Reference): Promise<RunningServer> {
  const scratch = scratchFolder();
  return startServer(join(root, `bench/reference/${name}.ts`), scratch, 0, { DATA_DIR: scratch.path });
}

async function startServer(
  entry: string,
  scratch: Scratch,
  core: Core,
  env: Record<string, string>,
): Promise<RunningServer> {
  const log = join(scratch.path, "stderr.log");
  const begun = performance.now();
  const program = start([process.execPath, entry], { core, env, stderr: Bun.file(log) });
  const close = async () => {
    await stop(program);
    await tellErrors(entry, Bun.file(log));
    scratch[Symbol.dispose]();
  };
  const address = await readyLine(program);
  const startMs = performance.now() - begun;
  if (!address) {
    const said = readFileSync(log, "utf8").slice(-2000);
    await close();
    throw new Error(`${entry} did not get ready: ${said}`);
  }
  const url = new URL(address);
  return {
    origin: url.origin,
    target: { host: url.hostname, port: Number(url.port), pid: program.pid },
    startMs,
    [Symbol.asyncDispose]: close,
  };
}

/** Prints the first error of the log, which is deleted with the folder: it is the reason for a 500 response. */
async function tellErrors(entry: string, log: Bun.BunFile): Promise<void> {
  const end = await log.slice(Math.max(0, log.size - 64 * 1024)).text();
  const line = end.split("\n").find((text) => text.includes('"level":"error"'));
  if (line) console.error(`${entry} logged: ${line}`);
}

/** Returns the address in "… is ready at <address>", or undefined when the program ends or prints nothing in time. */
async function readyLine(program: Program): Promise<string | undefined> {
  const late = setTimeout(() => program.kill("SIGKILL"), patienceMs);
  let said = "";
  const decoder = new TextDecoder();
  const reader = program.stdout.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      said += decoder.decode(value, { stream: true });
      const address = /is ready at (http\S+)\n/.exec(said)?.[1];
      if (address) return address;
    }
  } finally {
    clearTimeout(late);
    reader.releaseLock();
  }
}
