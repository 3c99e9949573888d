// `hearth doctor` on the services around several processes: PostgreSQL, Redis, clocks, open files, forged addresses.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, request } from "node:http";
import { startOldPostgres } from "../doubles/old-postgres.ts";
import { startOldRedis } from "../doubles/old-redis.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { startServer } from "../house/machine/process.ts";
import { type Cluster, canCluster, makeCluster } from "../house/open/cluster.ts";
import { TestPerson } from "../house/people/people.ts";
import { hasPooler, startPooler } from "../house/servers/pooler.ts";
import { startRedis } from "../house/servers/redis.ts";
import { examine } from "./hearth.ts";

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

const alone = () => ({ DATA_DIR: folder.path, PORT: "0" });

test("a PostgreSQL that is too old, or not there: what to do, without the password", async () => {
  await using old = await startOldPostgres("12.22");
  const { exitCode, findings } = await examine({ ...alone(), DATABASE_URL: old.url });
  const tooOld =
    "wrong: The database in DATABASE_URL is PostgreSQL 12.22, and version 14 or newer is needed.";
  expect([exitCode, findings.database]).toEqual([1, tooOld]);
  const DATABASE_URL = `postgres://hearth:swordfish@127.0.0.1:${await freePort()}/hearth`;
  const away = await examine({ ...alone(), DATABASE_URL });
  expect(away.findings.connections).toMatch(
    /^wrong: PostgreSQL gives none: .*ECONNREFUSED.* Check DATABASE_URL\.$/,
  );
  expect(JSON.stringify(away.findings)).not.toContain("swordfish");
});

test("a clock that differs from the store's is told with whose, by how much, and what mends it", async () => {
  let behindMs = 0;
  const store = createServer((_, answer) => {
    answer.setHeader("Date", new Date(Date.now() - behindMs).toUTCString());
    answer.writeHead(403).end();
  });
  await new Promise<void>((done) => store.listen(0, "127.0.0.1", done));
  const { port } = store.address() as { port: number };
  const S3_URL = `http://127.0.0.1:${port}/bucket`;
  const settings = { ...alone(), S3_URL, S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
  expect((await examine(settings)).findings.clock).toBe("ok: It agrees with that of the S3 store.");
  behindMs = 20_000;
  expect((await examine(settings)).findings.clock).toMatch(
    /^note: It is (19|2\d) s ahead of that of the S3 store: let /,
  );
  behindMs = -75_000;
  const { exitCode, findings } = await examine(settings);
  expect(findings.clock).toMatch(
    /^wrong: It is 7\d s behind that of the S3 store: let both machines keep time by NTP\.$/,
  );
  expect(exitCode).toBe(1);
  store.close();
});

const limited = (most: number) => ["sh", "-c", `ulimit -n ${most} && exec "$0" "$@"`];

test("few files that may be open are told, of the running server where there is one", async () => {
  const few = await examine(alone(), "doctor", limited(700));
  expect([few.exitCode, few.findings["open files"]]).toEqual([
    0,
    "note: At most 700 can be open, and each socket is one: raise LimitNOFILE of systemd, nofile of the container, or ulimit -n to 16384.",
  ]);
  const server = await startServer({ settings: alone(), under: limited(100) });
  const alice = await TestPerson.register(server, "alice");
  const ears = await Promise.all(Array.from({ length: 49 }, () => alice.listen()));
  for (const _ of Array(12)) ears.push(await alice.listen());
  const full = await examine(alone());
  expect(full.findings["open files"]).toMatch(/^wrong: \d\d of at most 100 are open: raise LimitNOFILE/);
  expect(full.exitCode).toBe(1);
  await server.stop();
});

test("a client that can choose its address is told; one that cannot, too", async () => {
  const port = String(await freePort());
  const settings = { ...alone(), PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, RATE_LIMITS: "on" };
  const server = await startServer({ settings });
  expect((await examine(settings)).findings.forgery).toBe("ok: Nobody can give themselves another address.");
  await server.stop();
  const trusting = { ...settings, TRUSTED_PROXIES: "127.0.0.0/8" };
  const other = await startServer({ settings: trusting });
  const { exitCode, findings } = await examine(trusting);
  expect(findings.forgery).toMatch(
    /^wrong: Whoever calls .* can choose their address: let the proxy replace X-Forwarded-For/,
  );
  expect(exitCode).toBe(1);
  await other.stop();
});

test("a proxy that names no client's address is told with what it writes; with a port behind it all is well", async () => {
  const [port, proxyPort] = [String(await freePort()), String(await freePort())];
  let forwarded = "unknown";
  await using proxy = new AsyncDisposableStack();
  const hands = createServer((asked, answer) => {
    const headers = { ...asked.headers, "x-forwarded-for": forwarded };
    const onward = request(
      { port, host: "127.0.0.1", path: asked.url, method: asked.method, headers },
      (came) => {
        answer.writeHead(came.statusCode ?? 502, came.headers);
        came.pipe(answer);
      },
    );
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((done) => hands.listen(Number(proxyPort), "127.0.0.1", done));
  proxy.defer(() => void hands.close());
  const settings = {
    ...{ ...alone(), PORT: port, PUBLIC_URL: `http://127.0.0.1:${proxyPort}` },
    ...{ RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1" },
  };
  const server = await startServer({ settings });
  expect((await examine(settings)).findings.addresses).toMatch(
    /^wrong: All callers .*: X-Forwarded-For comes as "unknown", which is no address: let the proxy write the client's\./,
  );
  forwarded = "203.0.113.7:51234";
  expect((await examine(settings)).findings.addresses).toMatch(/^ok: /);
  await server.stop();
});

describe.skipIf(!canCluster)(
  `of several processes${canCluster ? "" : " (skipped: no PostgreSQL or no Redis)"}`,
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await makeCluster();
    });
    afterAll(() => cluster?.[Symbol.asyncDispose]());

    test("PostgreSQL, Redis and both clocks are well, with their versions", async () => {
      const { exitCode, findings } = await examine(cluster.settings("well"));
      expect(exitCode).toBe(0);
      expect(findings).toMatchObject({
        connections: expect.stringMatching(/^ok: PostgreSQL \d+\.\d+.* grants the \d+ that Hearth needs\.$/),
        Redis: expect.stringMatching(/^ok: Redis \d+\.\d+\.\d+ carries what is sent through it\.$/),
        clock: "ok: It agrees with that of PostgreSQL, Redis.",
      });
    });

    test.skipIf(!hasPooler)("a pooler is seen, and how large it has to be", async () => {
      const settings = cluster.settings("pooled");
      await using pooler = await startPooler(settings.DATABASE_URL ?? "", 30);
      const { findings } = await examine({ ...settings, DATABASE_URL: pooler.url });
      expect(findings.connections).toMatch(
        /^ok: .* by way of a pooler: give that as many .*default_pool_size/,
      );
    });

    test("a database that is not there is named", async () => {
      const settings = cluster.settings("nowhere");
      const url = new URL(settings.DATABASE_URL ?? "");
      url.pathname = "/nowhere_at_all";
      const { exitCode, findings } = await examine({ ...settings, DATABASE_URL: url.href });
      expect(findings.database).toMatch(
        /^wrong: The database in DATABASE_URL refuses: .*nowhere_at_all" does not exist\.$/,
      );
      expect(exitCode).toBe(1);
    });

    test("a Redis that fills up is told; one that is too old or away is wrong", async () => {
      await using full = await startRedis();
      const settings = { ...cluster.settings("redis"), REDIS_URL: full!.url };
      const client = new Bun.RedisClient(full!.url);
      await client.send("CONFIG", ["SET", "maxmemory", "50mb"]);
      client.close();
      const bounded = await examine(settings);
      expect([bounded.exitCode, bounded.findings.Redis]).toEqual([
        0,
        expect.stringMatching(/^note: Redis .* set maxmemory-policy to volatile-ttl\.$/),
      ]);
      await using old = await startOldRedis("6.2.14");
      const tooOld = await examine({ ...settings, REDIS_URL: old.url });
      expect(tooOld.findings.Redis).toMatch(
        /^wrong: The Redis in REDIS_URL cannot be used: it is Redis 6, and version 7/,
      );
      const away = await examine({
        ...settings,
        REDIS_URL: `redis://:swordfish@127.0.0.1:${await freePort()}`,
      });
      expect(away.findings.Redis).toMatch(/^wrong: The Redis in REDIS_URL cannot be used: .*ECONNREFUSED/);
      expect(JSON.stringify(away.findings)).not.toContain("swordfish");
      expect([tooOld.exitCode, away.exitCode]).toEqual([1, 1]);
    });
  },
);
