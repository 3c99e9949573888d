// A job runs in one process at a time, and another takes it over if that one dies in the middle of it.
import { describe, expect, test } from "bun:test";
import pg from "pg";
import { Leases } from "../../server/processes/leases.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { canCluster, makeCluster, openCluster } from "../house/open/cluster.ts";
import { TestPerson } from "../house/people/people.ts";

const many = 12_000;

describe.skipIf(!canCluster)(canCluster ? "work" : "work (skipped: no PostgreSQL or no Redis here)", () => {
  test("under a lease is one process's until it lets go, and what it returns is handed on", async () => {
    await using cluster = await openCluster(2);
    const [one, other] = cluster.houses.map(({ running }) => new Leases(running.house.database));
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const working = one!.run("work", () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    const tried = () => other!.run("work", async () => "done by the other");
    expect(await tried()).toBeUndefined();
    expect(await other!.run("other work", async () => "done")).toBe("done");
    end.resolve("done by the one");
    expect(await working).toBe("done by the one");
    // The job is due again at once, so the first keeps its lease.
    expect(await tried()).toBeUndefined();
    await one!.release();
    expect(await tried()).toBe("done by the other");
  });

  test("that a killed process had begun is brought to its end by another", async () => {
    await using cluster = await makeCluster();
    const servers: ServerProcess[] = [await startServer({ settings: cluster.settings("one") })];
    const database = new pg.Client({ connectionString: cluster.settings("one").DATABASE_URL });
    await database.connect();
    const left = async () => Number((await database.query("select count(*) from messages")).rows[0].count);
    const holder = async () =>
      (await database.query("select holder from leases where name like 'sweep%'")).rows[0]?.holder as string;
    try {
      // The first process takes the lease of the sweep.
      await until(async () => (await holder()) !== undefined, "nobody sweeps");
      servers.push(await startServer({ settings: cluster.settings("other") }));
      const first = await holder();
      const alice = await TestPerson.register({ url: servers[0]!.url }, "alice");
      const home = await alice.makeServer();
      await alice.say(home.general.id, "one of many");
      await database.query(
        `insert into messages select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid()))).*
         from messages m, generate_series(2, $1::int)`,
        [many],
      );
      expect(await left()).toBe(many);
      // Slow enough that the kill comes before the end on any machine.
      await database.query(
        `create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return null; end';
         create trigger slowly after delete on messages execute function slowly()`,
      );
      await alice.delete(`/servers/${home.id}`);
      await until(async () => (await left()) < many, "nothing is swept");
      await servers.shift()!.kill();
      expect(await left()).toBeGreaterThan(0);
      expect(await holder()).toBe(first);
      await database.query("drop function slowly() cascade");
      await until(async () => (await left()) === 0, "what was begun is left");
      expect(await holder()).not.toBe(first);
    } finally {
      await database.end();
      for (const server of servers) await server.stop();
    }
  });
});
