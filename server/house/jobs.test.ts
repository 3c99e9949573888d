// Recurring work: when it runs, and when it waits; a database that is away takes a single line in the log.
import { describe, expect, spyOn, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { Leases } from "../processes/leases.ts";
import { Jobs } from "./jobs.ts";

test("it is told once, also beside work that asks nothing of it, and once more when it was back and goes again", async () => {
  const own = await makeHouse("SQLite", {}, undefined, true);
  await own.open();
  await own.quiet();
  const { house } = own.running;
  const gone = new Error("gone");
  const times = { asking: 0, idling: 0 };
  let isAway = true;
  using error = spyOn(house.log, "error").mockImplementation(() => {});
  using _ = spyOn(house.database, "isAway").mockImplementation((thrown) => thrown === gone);
  const jobs = new Jobs(house, [
    {
      name: "ask",
      everyMs: 10,
      async run() {
        times.asking++;
        if (isAway) throw gone;
        return false;
      },
    },
    {
      name: "idle",
      everyMs: 10,
      async run() {
        times.idling++;
        return false;
      },
    },
  ]);
  async function someTimes(): Promise<void> {
    const { asking, idling } = { ...times };
    await until(() => times.asking > asking + 5 && times.idling > idling + 5, "they do not come again");
  }
  await someTimes();
  expect(error).toHaveBeenCalledTimes(1);
  isAway = false;
  await someTimes();
  isAway = true;
  await someTimes();
  expect(error).toHaveBeenCalledTimes(2);
  await jobs.stop();
  await own.end();
});

test("work of which more is left goes on at once; what deletes by age waits for a clock that is believed", async () => {
  const own = await makeHouse("SQLite", {}, undefined, true);
  await own.open();
  await own.quiet();
  const { house } = own.running;
  const ran: string[] = [];
  const counted = (name: string) => ran.filter((each) => each === name).length;
  const noting = (name: string, everyMs: number, more: () => boolean = () => false) => ({
    ...{ name, everyMs },
    async run() {
      ran.push(name);
      return more();
    },
  });
  using mayDelete = spyOn(house.clock, "mayDelete").mockReturnValue(false);
  const jobs = new Jobs(house, [
    noting("hourly", 3600_000, () => counted("hourly") < 5),
    { ...noting("old rows", 10), deletesByAge: true },
    { ...noting("elsewhere", 10), isFor: () => false },
    noting("often", 10),
  ]);
  await until(() => counted("hourly") === 5 && counted("often") > 5, "it does not go on");
  expect([counted("old rows"), counted("elsewhere")]).toEqual([0, 0]);
  mayDelete.mockReturnValue(true);
  await until(() => counted("old rows") > 0, "old rows stay");
  expect([counted("hourly"), counted("elsewhere")]).toEqual([5, 0]);
  await jobs.stop();
  await own.end();
});

test("who stops it waits for what is under way, and nothing begins afterwards", async () => {
  const own = await makeHouse("SQLite", {}, undefined, true);
  await own.open();
  const end = Promise.withResolvers<void>();
  let times = 0;
  let hasEnded = false;
  const jobs = new Jobs(own.running.house, [
    {
      name: "long",
      everyMs: 1,
      async run() {
        times++;
        await end.promise;
        hasEnded = true;
        return true;
      },
    },
  ]);
  await until(() => times === 1, "it does not begin");
  const stopped = jobs.stop().then(() => hasEnded);
  end.resolve();
  expect(await stopped).toBe(true);
  // A job with more to do continues after a shorter pause than this one starts with.
  let isLater = false;
  const later = new Jobs(own.running.house, [
    {
      name: "later",
      everyMs: 200,
      async run() {
        isLater = true;
        return false;
      },
    },
  ]);
  await until(() => isLater, "nothing begins");
  await later.stop();
  expect(times).toBe(1);
  await own.end();
});

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("work under a lease", () => {
  test("is one process's until it lets go or its lease has ended, and each piece of work has its own", async () => {
    const own = await makeHouse("PostgreSQL", {}, undefined, true);
    await own.open();
    await own.quiet();
    const { database } = own.running.house;
    const [one, other] = [new Leases(database), new Leases(database)];
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const working = one.run("sweep", () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    const tried = (name = "sweep") => other.run(name, async () => "done by the other");
    expect([await tried(), await tried("prune")]).toEqual([undefined, "done by the other"]);
    end.resolve("done by the one");
    expect([await working, await tried()]).toEqual(["done by the one", undefined]);
    await one.release();
    expect(await tried()).toBe("done by the other");
    // Simulates that the other process died some time ago.
    const third = new Leases(database);
    const byThird = () => third.run("sweep", async () => "done by the third");
    expect(await byThird()).toBeUndefined();
    await database.transaction((db) =>
      db
        .updateTable("leases")
        .set({ until: Date.now() - 60_000 })
        .execute(),
    );
    expect(await byThird()).toBe("done by the third");
    // A process releases only its own leases.
    await other.release();
    expect(await one.run("sweep", async () => "done by the one")).toBeUndefined();
    await own.end();
  });
});
