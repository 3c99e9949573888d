// A private PostgreSQL for one run of tests or bench: Debian's binaries, as an unprivileged user, in a folder that goes with it.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./folder.ts";
import { freePort } from "./port.ts";

export interface PrivatePostgres extends AsyncDisposable {
  /** Of a superuser, who may make databases. */
  url: string;
  /** Of its first process, whose children have the connections. */
  readonly pid: number;
  /** All its processes stand still, and their connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Its immediate mode: nothing is finished, and the log is read again at the next start. */
  stopAtOnce(): Promise<void>;
  restart(): Promise<void>;
}

const installed = "/usr/lib/postgresql";
/** One that stands still does not hear that it is to end. */
const leaveMs = 5000;

/**
 * Undefined where no PostgreSQL is installed. What tests prove is not the disk: without its waits, `durable` false,
 * they run in half the time.
 */
export async function startPostgres(durable: boolean): Promise<PrivatePostgres | undefined> {
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
    ["-D", data, "-A", "trust", "-U", "hearth", "-E", "UTF8", "--locale=C"],
    {
      ...asOwner,
      stdio: "ignore",
    },
  );
  const settings = [
    `fsync=${durable ? "on" : "off"}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder.path}`,
    "max_connections=200",
  ];
  const run = () => {
    const server = spawn(
      join(binaries, "postgres"),
      ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
      { ...asOwner, stdio: "ignore" },
    );
    // It may have ended long before anybody waits for it.
    return { server, ended: new Promise((resolve) => server.once("exit", resolve)) };
  };
  let { server, ended } = run();
  // Whatever ends this process, no PostgreSQL stays behind.
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
    freeze: () => signalAll(server.pid, "SIGSTOP"),
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

/** To the server and the processes that it made for its connections. */
export function signalAll(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || !existsSync(`/proc/${pid}`)) return;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").map(Number);
  for (const each of [pid, ...children.filter((child) => child > 0)]) {
    try {
      process.kill(each, signal);
    } catch {
      // It has ended meanwhile.
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

/** PostgreSQL refuses to run as root, so root lends it the user that its package made. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

export async function untilItAnswers(question: string, port: number, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200 && server.exitCode === null; tries++) {
    try {
      execFileSync(question, ["-h", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
      return;
    } catch {
      await Bun.sleep(50);
    }
  }
  throw new Error("The private PostgreSQL did not get ready.");
}
