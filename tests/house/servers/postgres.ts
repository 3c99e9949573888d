// A private PostgreSQL for one run of tests or bench: Debian's binaries, an unprivileged user, a temporary folder.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, chownSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { childrenOf } from "../machine/children.ts";
import { temporaryFolder } from "../machine/folder.ts";
import { freePort } from "../machine/port.ts";
import { standStillWithChildren } from "../machine/standing-still.ts";

export interface PrivatePostgres extends AsyncDisposable {
  /** URL for a superuser, who may create databases. */
  url: string;
  /** Pid of the postmaster, whose children serve the connections. */
  readonly pid: number;
  /** Stops all its processes by SIGSTOP; their connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Immediate shutdown: nothing is finished, and the next start recovers from the log. */
  stopAtOnce(): Promise<void>;
  restart(): Promise<void>;
}

/** Houses of three processes may open 72 connections each, and six test files run side by side. */
export const mostConnections = 500;

const installed = "/usr/lib/postgresql";
/** Turns off what protects the data when the machine goes down. */
const notDurable = ["fsync=off", "full_page_writes=off", "max_wal_size=4GB", "checkpoint_timeout=1h"];
/** A start's timeout in ms: after a crash the server replays its log first. */
const readyMs = 180_000;
/** A shutdown's timeout in ms: stopped processes do not react to its signal. */
const leaveMs = 5000;

/**
 * Returns undefined where no PostgreSQL is installed. Tests do not test the disk: without its waits, `durable` false,
 * they run in half the time. `address`: where it listens besides the loopback address, and whose network it lets in.
 */
export async function startPostgres(
  durable: boolean,
  address = "127.0.0.1",
): Promise<PrivatePostgres | undefined> {
  const binaries = newestBinaries();
  if (!binaries) return undefined;
  const folder = temporaryFolder();
  const data = join(folder.path, "data");
  const port = await freePort();
  const owner = unprivilegedUser();
  if (owner) chownSync(folder.path, owner.uid, owner.gid);
  const asOwner = { cwd: "/", ...owner };
  execFileSync(
    join(binaries, "initdb"),
    ["-D", data, "-A", "trust", "-U", "hearth", "-E", "UTF8", "--locale=C", "--no-sync"],
    {
      ...asOwner,
      stdio: "ignore",
    },
  );
  appendFileSync(join(data, "pg_hba.conf"), `host all all ${address}/30 trust\n`);
  const settings = [
    ...(durable ? [] : notDurable),
    `listen_addresses=${[...new Set(["127.0.0.1", address])]}`,
    `unix_socket_directories=${folder.path}`,
    `max_connections=${mostConnections}`,
  ];
  const run = () => {
    const server = spawn(
      join(binaries, "postgres"),
      ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
      { ...asOwner, stdio: "ignore" },
    );
    // The server may end long before its end is waited for.
    return { server, ended: new Promise((resolve) => server.once("exit", resolve)) };
  };
  let { server, ended } = run();
  // However this process ends, no PostgreSQL stays behind.
  const reap = () => {
    signalAll(server.pid, "SIGKILL");
    folder.remove();
  };
  process.on("exit", reap);
  await untilItAnswers(join(binaries, "pg_isready"), port, server);
  return {
    url: `postgres://hearth@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.pid ?? 0;
    },
    freeze: () => standStillWithChildren(server.pid),
    thaw: () => signalAll(server.pid, "SIGCONT"),
    async stopAtOnce() {
      server.kill("SIGQUIT");
      await ended;
    },
    async restart() {
      ({ server, ended } = run());
      await untilItAnswers(join(binaries, "pg_isready"), port, server);
    },
    async [Symbol.asyncDispose]() {
      server.kill("SIGINT");
      const impatient = setTimeout(() => signalAll(server.pid, "SIGKILL"), leaveMs);
      await ended;
      clearTimeout(impatient);
      process.off("exit", reap);
      folder.remove();
    },
  };
}

/** Signals the server and the processes that serve its connections. */
export function signalAll(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || !existsSync(`/proc/${pid}`)) return;
  for (const each of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(each, signal);
    } catch {
      // The process has ended meanwhile.
    }
  }
}

export function newestBinaries(): string | undefined {
  if (!existsSync(installed)) return undefined;
  return readdirSync(installed)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(installed, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")));
}

/** Returns the ids of the package's own user when this process is root, as which PostgreSQL refuses to run. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

export async function untilItAnswers(question: string, port: number, server: ChildProcess): Promise<void> {
  for (const end = performance.now() + readyMs; performance.now() < end && server.exitCode === null; ) {
    try {
      execFileSync(question, ["-h", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
      return;
    } catch {
      await Bun.sleep(50);
    }
  }
  throw new Error("The private PostgreSQL did not get ready.");
}
