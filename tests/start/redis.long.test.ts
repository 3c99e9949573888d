// A wrong Redis setting is reported in one sentence at the start; an absent Redis is reported once, and stops nothing.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createClient } from "@redis/client";
import { startOldRedis } from "../doubles/old-redis.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { at, type Cluster, canCluster, makeCluster } from "../house/open/cluster.ts";
import { TestPerson } from "../house/people/people.ts";
import { startRedis } from "../house/servers/redis.ts";
import { expectOneSentence } from "./one-sentence.ts";
import { startRefused } from "./refused.ts";

const title = canCluster ? "" : " (skipped: no PostgreSQL or no Redis here)";

describe.skipIf(!canCluster)(`a Redis${title}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await makeCluster();
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  async function refused(url: string, says: RegExp): Promise<void> {
    const start = await startRefused({ ...cluster.settings("refused"), REDIS_URL: url });
    expectOneSentence(start, says);
    expect(start.stderr).not.toContain("swordfish");
  }

  test("whose password is another one", async () => {
    await using locked = await startRedis("another");
    const url = new URL(locked!.url);
    url.password = "swordfish";
    await refused(url.href, /^The Redis in REDIS_URL cannot be used: .*invalid username-password/);
    url.password = "";
    await refused(url.href, /^The Redis in REDIS_URL cannot be used: .*NOAUTH/);
  });

  test("that is older than what is needed", async () => {
    await using old = await startOldRedis("6.2.14");
    await refused(old.url, /it is Redis 6, and version 7 or newer is needed/);
  });

  const servers: ServerProcess[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  async function startWith(url: string, folder: string): Promise<ServerProcess> {
    const settings = { ...cluster.settings(folder), REDIS_URL: url, LOG_LEVEL: "info" };
    const server = await startServer({ settings });
    servers.push(server);
    return server;
  }

  async function ready(server: ServerProcess): Promise<string> {
    const answer = await fetch(`${server.url}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  }

  const isJoined = (server: ServerProcess) =>
    until(async () => (await ready(server)) === "200 ready\n", "Redis is not used");

  async function expectTalk(server: ServerProcess): Promise<void> {
    const alice = await TestPerson.register(server, `alice${Bun.randomUUIDv7().slice(-8)}`);
    const home = await alice.makeServer();
    const ear = await alice.listen();
    await alice.say(home.general.id, "without");
    expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: "without" });
  }

  test("by a name that nobody knows keeps no process from starting: /readyz and the log name it", async () => {
    const server = await startWith("redis://:swordfish@redis.invalid", "unknown");
    expect(await ready(server)).toBe("200 ready\nRedis is away: other processes are heard within a second\n");
    await expectTalk(server);
    await until(() => /Redis is away.*/.test(server.stderr()), "the log does not say it");
    expect(server.stderr()).not.toContain("swordfish");
  });

  test("that stands still at the start is used when it goes on", async () => {
    await using silent = (await startRedis())!;
    silent.freeze();
    const server = await startWith(silent.url, "silent");
    expect(await ready(server)).toBe("200 ready\nRedis is away: other processes are heard within a second\n");
    await expectTalk(server);
    silent.thaw();
    await isJoined(server);
    await expectTalk(server);
  });

  test("that is not there at the start is used when it comes, and the processes hear each other by it", async () => {
    await using redis = (await startRedis())!;
    await redis.kill();
    const one = await startWith(redis.url, "one");
    const other = await startWith(redis.url, "other");
    await expectTalk(one);
    redis.restart();
    for (const each of [one, other]) await isJoined(each);
    const carol = await TestPerson.register(one, "carol");
    const home = await carol.makeServer();
    const ear = await at(other.url, carol).listen();
    const client = await createClient({ url: redis.url }).connect();
    const commands: string[] = [];
    await client.monitor((line) => commands.push(String(line)));
    await carol.say(home.general.id, "to and fro");
    expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: "to and fro" });
    // A process sends through Redis as soon as it knows that another one listens there.
    await until(async () => {
      await carol.say(home.general.id, "through it");
      return commands.some((line) => /SPUBLISH.*through it/i.test(line));
    }, "it goes another way");
    client.destroy();
  });

  test("that goes away: the log says so once, /readyz too, and everything goes on until it is back", async () => {
    const server = await startWith(cluster.redis.url, "going");
    const said = (text: RegExp) =>
      server
        .stderr()
        .split("\n")
        .filter((line) => text.test(line)).length;
    const alice = await TestPerson.register(server, "alice");
    const home = await alice.makeServer();
    const ear = await alice.listen();
    await isJoined(server);
    // A process that stands still for a second logs both as well.
    const before = { away: said(/Redis is away/), back: said(/Redis is back/) };
    await cluster.redis.kill();
    await until(async () => (await ready(server)) !== "200 ready\n", "it is not told");
    expect(await ready(server)).toBe("200 ready\nRedis is away: other processes are heard within a second\n");
    for (let i = 0; i < 20; i++) {
      await alice.say(home.general.id, `without ${i}`);
      await Bun.sleep(100);
    }
    for (let i = 0; i < 20; i++)
      expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: `without ${i}` });
    const [away, back] = [said(/Redis is away/) - before.away, said(/Redis is back/) - before.back];
    expect(away).toBe(back + 1);
    cluster.redis.restart();
    await isJoined(server);
    await until(() => said(/Redis is back/) > before.back, "the log does not say that it is back");
    expect(said(/"level":"(error|fatal)"/)).toBe(0);
  });
});
