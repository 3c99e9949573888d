// A private PgBouncer for tests: Debian's binary, in transaction mode, before a running PostgreSQL.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { temporaryFolder } from "../machine/folder.ts";
import { freePort } from "../machine/port.ts";
import { until } from "../machine/waiting.ts";

export const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0;

interface Pooler extends AsyncDisposable {
  /** The address of the same database through the pooler. */
  url: string;
}

/** `connections`: the most that the pooler opens to the database. */
export async function startPooler(databaseUrl: string, connections: number): Promise<Pooler> {
  const folder = temporaryFolder();
  const port = await freePort();
  const { hostname, port: itsPort, username } = new URL(databaseUrl);
  const users = join(folder.path, "users.txt");
  const settings = join(folder.path, "pgbouncer.ini");
  writeFileSync(users, `"${username}" ""\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${itsPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
admin_users = ${username}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
`,
  );
  for (const path of [folder.path, users, settings]) chmodSync(path, 0o755);
  // PgBouncer refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ["--user", "postgres"] : [];
  const server = spawn("pgbouncer", ["--quiet", ...asUser, settings], { cwd: "/", stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const reap = () => server.kill("SIGKILL");
  process.on("exit", reap);
  const url = new URL(databaseUrl);
  url.port = String(port);
  await until(() => answers(url.href), "PgBouncer does not answer");
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      reap();
      await ended;
      process.off("exit", reap);
      folder.remove();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
