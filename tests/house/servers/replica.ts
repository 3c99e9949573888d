// A standby of a private PostgreSQL that follows its primary, and can freeze, lag behind, end and be promoted.
import { execFileSync, spawn } from "node:child_process";
import { chownSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { temporaryFolder } from "../machine/folder.ts";
import { freePort } from "../machine/port.ts";
import { standStillWithChildren } from "../machine/standing-still.ts";
import { mostConnections, newestBinaries, signalAll, unprivilegedUser, untilItAnswers } from "./postgres.ts";

export interface PrivateReplica extends AsyncDisposable {
  url: string;
  /** Pauses replay: the replica answers, without further changes of the primary. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Makes it a primary of its own. */
  promote(): Promise<void>;
}

export async function startReplica(primary: string): Promise<PrivateReplica> {
  const binaries = newestBinaries() ?? "";
  const folder = temporaryFolder();
  const data = join(folder.path, "data");
  const port = await freePort();
  const owner = unprivilegedUser();
  if (owner) chownSync(folder.path, owner.uid, owner.gid);
  const asOwner = { cwd: "/", ...owner };
  const copy = ["-d", primary, "-D", data, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
  execFileSync(join(binaries, "pg_basebackup"), copy, { ...asOwner, stdio: "ignore" });
  const settings = ["fsync=off", "listen_addresses=127.0.0.1", `unix_socket_directories=${folder.path}`];
  // At least as many connections as the primary allows, or the standby does not start.
  settings.push(`max_connections=${mostConnections}`);
  const run = () => {
    const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
    const server = spawn(join(binaries, "postgres"), args, { ...asOwner, stdio: "ignore" });
    return { server, ended: new Promise((resolve) => server.once("exit", resolve)) };
  };
  let { server, ended } = run();
  const reap = () => {
    signalAll(server.pid, "SIGKILL");
    folder.remove();
  };
  process.on("exit", reap);
  const isReady = () => untilItAnswers(join(binaries, "pg_isready"), port, server);
  await isReady();
  const url = `postgres://hearth@127.0.0.1:${port}/postgres`;
  async function call(what: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`select ${what}`);
    await client.end();
  }
  const kill = async () => {
    signalAll(server.pid, "SIGKILL");
    await ended;
  };
  return {
    url,
    pause: () => call("pg_wal_replay_pause()"),
    resume: () => call("pg_wal_replay_resume()"),
    freeze: () => standStillWithChildren(server.pid),
    thaw: () => signalAll(server.pid, "SIGCONT"),
    kill,
    async restart() {
      ({ server, ended } = run());
      await isReady();
    },
    promote: () => call("pg_promote()"),
    async [Symbol.asyncDispose]() {
      await kill();
      process.off("exit", reap);
      folder.remove();
    },
  };
}
