// A Redis that is out of memory stops nothing: people can sign in, and operators are told.

import { describe, expect, test } from "bun:test";
import { createClient } from "@redis/client";
import { startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { canCluster, makeCluster } from "../house/open/cluster.ts";
import { TestPerson } from "../house/people/people.ts";
import { startRedis } from "../house/servers/redis.ts";

describe.skipIf(!canCluster)("a full Redis (skipped where there is no PostgreSQL or Redis)", () => {
  test("is a line of /readyz and one of the log, while people write", async () => {
    await using cluster = await makeCluster();
    await using redis = await startRedis();
    const url = redis!.url;
    const client = createClient({ url });
    client.on("error", () => {});
    await client.connect();
    await client.configSet({ maxmemory: "100kb", "maxmemory-policy": "noeviction" });
    const server = await startServer({
      settings: { ...cluster.settings("one"), REDIS_URL: url, RATE_LIMITS: "on", LOG_LEVEL: "warn" },
    });
    try {
      const ready = async () => {
        const answer = await fetch(`${server.url}/readyz`);
        expect(answer.status).toBe(200);
        return answer.text();
      };
      const olga = await TestPerson.register(server, "olga");
      const { general } = await olga.makeServer();
      await olga.say(general.id, "taken");
      const full =
        "ready\nRedis takes nothing, and each process counts limits on rates for itself: its memory is full\n";
      await until(async () => (await ready()) === full, "/readyz says nothing of it, or something else");
      const told = () => server.stderr().split("each process counts limits on rates for itself").length - 1;
      await until(() => told() === 1, "the log says nothing");

      await client.configSet("maxmemory", "0");
      await until(async () => {
        await olga.get("/auth/me");
        return (await ready()) === "ready\n";
      }, "/readyz still says that it is full");
      expect(told()).toBe(1);
    } finally {
      client.destroy();
      await server.stop();
    }
  });
});
