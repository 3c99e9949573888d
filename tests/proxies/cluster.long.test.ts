// The Caddyfile of deploy/cluster in a real Caddy, before two processes whose object store fails: all but files works.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Fault, type FaultyStore, startFaultyStore } from "../doubles/faulty-store.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { at, type Cluster, canCluster, makeCluster } from "../house/open/cluster.ts";
import { TestPerson } from "../house/people/people.ts";
import { tryUpload } from "../house/scenes/files.ts";
import { canStore, type PrivateS3, startS3 } from "../house/servers/s3.ts";

const canRun = canCluster && canStore && Bun.which("caddy") !== null;
const title = canRun ? "" : " (skipped: PostgreSQL, Redis, an S3 store or Caddy is missing here)";

/** How long to watch: longer than three of Caddy's health checks, and than the timeout of a silent store. */
const watchedMs = 8000;

describe.skipIf(!canRun)(`behind the Caddyfile of deploy/cluster${title}`, () => {
  let cluster: Cluster;
  let s3: PrivateS3;
  let store: FaultyStore;
  let folder: TemporaryFolder;
  let caddy: ChildProcess;
  let alice: TestPerson;
  let bob: TestPerson;
  let channel: string;
  const servers: ServerProcess[] = [];

  beforeAll(async () => {
    s3 = await startS3();
    store = await startFaultyStore(s3.url);
    const { S3_URL = "", ...keys } = s3.settings("uploads");
    const port = await freePort();
    const PUBLIC_URL = `http://127.0.0.1:${port}`;
    const own = { S3_URL: S3_URL.replace(s3.url, store.url), ...keys };
    cluster = await makeCluster({ ...own, PUBLIC_URL, TRUSTED_PROXIES: "127.0.0.1" });
    for (const name of ["one", "other"])
      servers.push(await startServer({ settings: cluster.settings(name) }));
    folder = temporaryFolder();
    const voice = `http://127.0.0.1:${await freePort()}`;
    caddy = startCaddy(folder.path, { HEARTH_HOST: PUBLIC_URL, VOICE_HOST: voice }, servers);
    await until(
      async () => (await fetch(`${PUBLIC_URL}/healthz`).catch(() => undefined))?.ok === true,
      "no proxy",
    );
    alice = at(PUBLIC_URL, await TestPerson.register(servers[0]!, "alice"));
    const home = await alice.makeServer();
    channel = home.general.id;
    bob = at(PUBLIC_URL, await TestPerson.register(servers[1]!, "bob"));
    await alice.bringIn(home.id, bob);
  });
  afterAll(async () => {
    if (caddy?.kill("SIGKILL")) await once(caddy, "exit");
    for (const server of servers) await server.stop();
    await cluster?.[Symbol.asyncDispose]();
    await store?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
    folder?.remove();
  });

  const faults: [string, Fault][] = [
    ["answers 500", 500],
    ["is full", 507],
    ["says nothing", "silence"],
  ];
  for (const [how, fault] of faults)
    test(`a store that ${how} stops no post, no read and no socket`, async () => {
      store.fault = fault;
      const ear = await bob.listen();
      const uploads = servers.map(({ url }) => tryUpload(at(url, alice), "a.txt", "words"));
      const begun = performance.now();
      for (let i = 0; performance.now() - begun < watchedMs; i++) {
        const content = `${how} ${i}`;
        await alice.say(channel, content);
        expect((await bob.get(`/channels/${channel}/messages`)).status).toBe(200);
        expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content });
        const late = await bob.listen();
        late.close();
        await Bun.sleep(250);
      }
      for (const { status } of await Promise.all(uploads)) expect(status).toBe(503);
      for (const { url } of servers) {
        const answer = await fetch(`${url}/readyz`);
        expect([answer.status, await answer.text()]).toEqual([
          200,
          expect.stringMatching(/^ready\n(.+\n)*No uploads are taken: the S3 store at/),
        ]);
      }
      store.fault = undefined;
      await until(async () => (await tryUpload(alice, "a.txt", "words")).status === 201, "none is taken");
      ear.close();
    });

  test("a database that takes only reads stops no read", async () => {
    // The processes notice it when a write is refused.
    const { Client } = (await import("pg")).default;
    const url = new URL(cluster.settings("one").DATABASE_URL ?? "");
    const admin = new Client({ connectionString: url.href });
    await admin.connect();
    const name = `"${url.pathname.slice(1)}"`;
    const cut =
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()";
    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    await admin.query(cut, [url.pathname.slice(1)]);
    const say = () => alice.post(`/channels/${channel}/messages`, { content: "during" });
    await until(async () => (await say()).status === 503, "it is written");
    const begun = performance.now();
    while (performance.now() - begun < watchedMs) {
      expect((await bob.get(`/channels/${channel}/messages`)).status).toBe(200);
      await Bun.sleep(250);
    }
    await admin.query(`set default_transaction_read_only = off`);
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    await admin.query(cut, [url.pathname.slice(1)]);
    await admin.end();
    await until(async () => (await say()).status === 201, "nothing is taken any more");
  });
});

/** Runs Caddy with the shipped file, but for the addresses of the processes and global options. */
function startCaddy(
  folder: string,
  hosts: Record<string, string>,
  servers: readonly ServerProcess[],
): ChildProcess {
  const shipped = readFileSync(join(import.meta.dir, "../../deploy/cluster/Caddyfile"), "utf8");
  const upstreams = /hearth-1:8080 hearth-2:8080 hearth-3:8080/;
  expect(shipped).toMatch(upstreams);
  const here = servers.map(({ url }) => new URL(url).host).join(" ");
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${shipped.replace(upstreams, here)}`);
  const child = spawn("caddy", ["run", "--adapter", "caddyfile", "--config", file], {
    env: { PATH: Bun.env.PATH, HOME: folder, ...hosts },
    stdio: "ignore",
  });
  const reap = () => child.kill("SIGKILL");
  process.on("exit", reap);
  child.once("exit", () => process.off("exit", reap));
  return child;
}
