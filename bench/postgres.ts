// A private PostgreSQL for one run: its own folder, a free port, gone afterwards.
import { chownSync, existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { start, stop } from "./processes.ts";
import { scratchFolder } from "./scratch.ts";

export interface PrivatePostgres extends AsyncDisposable {
  url: string;
}

const installed = "/usr/lib/postgresql";
const patienceMs = 20_000;

/** Where the newest installed PostgreSQL has its programs. */
export function postgresFolder(): string | undefined {
  if (!existsSync(installed)) return undefined;
  return readdirSync(installed)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(installed, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")));
}

export async function startPostgres(binaries: string): Promise<PrivatePostgres> {
  const scratch = scratchFolder();
  const data = join(scratch.path, "data");
  const log = Bun.file(join(scratch.path, "log"));
  const port = await freePort();
  await own(scratch.path);
  await run(asOwner([join(binaries, "initdb"), "-D", data, "-A", "trust", "-U", "hearth", "-E", "UTF8"]));
  const listen = ["-p", String(port), "-c", "listen_addresses=127.0.0.1", "-k", scratch.path];
  const postgres = start(asOwner([join(binaries, "postgres"), "-D", data, ...listen]), {
    core: "any",
    stderr: log,
  });
  await ready([join(binaries, "pg_isready"), "-h", "127.0.0.1", "-p", String(port)]);
  return {
    url: `postgres://hearth@127.0.0.1:${port}/postgres`,
    [Symbol.asyncDispose]: async () => {
      await stop(postgres);
      scratch[Symbol.dispose]();
    },
  };
}

const isRoot = process.getuid?.() === 0;

/**
 * PostgreSQL refuses to run as root, so root lends it the user that its package made. setpriv becomes the
 * program that it starts, so that the process id is PostgreSQL's own.
 */
function asOwner(command: string[]): string[] {
  if (!isRoot) return command;
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", ...command];
}

async function own(folder: string): Promise<void> {
  if (!isRoot) return;
  const id = async (flag: string) => Number(await Bun.$`id ${flag} postgres`.text());
  chownSync(folder, await id("-u"), await id("-g"));
}

async function run(command: string[]): Promise<void> {
  const program = Bun.spawn(command, { cwd: "/", stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const [said] = await Promise.all([new Response(program.stderr).text(), program.exited]);
  if (program.exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${said}`);
}

async function ready(question: string[]): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while ((await Bun.spawn(question, { stdout: "ignore", stderr: "ignore" }).exited) !== 0) {
    if (performance.now() > deadline) throw new Error("PostgreSQL did not get ready");
    await Bun.sleep(50);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
