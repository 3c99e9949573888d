// A Redis that cannot be used is one sentence at the start; one that goes away later is told of once, and stops nothing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startOldRedis } from "../doubles/old-redis.ts";
import { type Cluster, canCluster, makeCluster } from "../house/cluster.ts";
import { TestPerson } from "../house/people.ts";
import { freePort } from "../house/port.ts";
import { startServer } from "../house/process.ts";
import { startRedis } from "../house/redis.ts";
import { until } from "../house/waiting.ts";
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

  test("that is not there", async () => {
    await refused(
      `redis://:swordfish@127.0.0.1:${await freePort()}`,
      /^The Redis in REDIS_URL cannot be used: .*ECONNREFUSED/,
    );
  });

  test("by a name that nobody knows", async () => {
    await refused("redis://redis.invalid", /^The Redis in REDIS_URL cannot be used: .*redis\.invalid/);
  });

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

  test("that answers nothing", async () => {
    await using silent = await startRedis();
    silent!.freeze();
    await refused(silent!.url, /it does not answer/);
  });

  test("that goes away: the log says so once, /readyz too, and everything goes on until it is back", async () => {
    const server = await startServer({ settings: { ...cluster.settings("going"), LOG_LEVEL: "info" } });
    const ready = async () => {
      const answer = await fetch(`${server.url}/readyz`);
      return `${answer.status} ${await answer.text()}`;
    };
    const said = (text: RegExp) =>
      server
        .stderr()
        .split("\n")
        .filter((line) => text.test(line)).length;
    try {
      const alice = await TestPerson.register(server, "alice");
      const home = await alice.makeServer();
      const ear = await alice.listen();
      expect(await ready()).toBe("200 ready\n");
      await cluster.redis.kill();
      await until(async () => (await ready()) !== "200 ready\n", "it is not told");
      expect(await ready()).toBe("200 ready\nRedis is away: other processes are heard within a second\n");
      for (let i = 0; i < 20; i++) {
        await alice.say(home.general.id, `without ${i}`);
        await Bun.sleep(100);
      }
      for (let i = 0; i < 20; i++)
        expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: `without ${i}` });
      cluster.redis.restart();
      await until(async () => (await ready()) === "200 ready\n", "it does not come back");
      await until(() => said(/Redis is back/) > 0, "the log does not say that it is back");
      expect([said(/Redis is away/), said(/Redis is back/), said(/"level":"(error|fatal)"/)]).toEqual([
        1, 1, 0,
      ]);
    } finally {
      await server.stop();
    }
  });
});
