// Presence is the same on all processes: seen on each, told once, and correct however a process ends.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { standStill } from "../house/machine/standing-still.ts";
import { until } from "../house/machine/waiting.ts";
import { at, canCluster, makeCluster, type OpenCluster, openCluster } from "../house/open/cluster.ts";
import { Ear } from "../house/people/ear.ts";
import { TestPerson } from "../house/people/people.ts";

const title = canCluster ? "" : " (skipped: no PostgreSQL or no Redis here)";

function told(ear: Ear, person: TestPerson): string[] {
  const frames = ear.heard("PRESENCE_UPDATE").filter(({ data }) => String(data.user_id) === person.id);
  return frames.map(({ data }) => String(data.status));
}

function isTold(ear: Ear, person: TestPerson, ...statuses: string[]): Promise<void> {
  return until(() => told(ear, person).length >= statuses.length, `${person.username} is not told`).then(() =>
    expect(told(ear, person)).toEqual(statuses),
  );
}

/** Ids of the people whom READY does not show as offline in the first server. */
function shown(ear: Ear): string[] {
  const [server] = ear.ready.servers as unknown as { presences: { user_id: string }[] }[];
  return (server?.presences ?? []).map(({ user_id }) => user_id).toSorted();
}

async function seen(by: TestPerson, person: TestPerson): Promise<string> {
  return String((await by.get(`/users/${person.id}`)).body.presence);
}

describe.skipIf(!canCluster)(`people at three processes${title}`, () => {
  let cluster: OpenCluster;
  let alice: TestPerson;
  let bob: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  const url = (i: number) => cluster.houses[i]!.url;

  beforeAll(async () => {
    cluster = await openCluster(3, {
      RATE_LIMITS: "on",
      RATE_AUTH: "9999/9999",
      RATE_ALL: "9999/9999",
      RATE_INVITES: "9999/9999",
    });
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  // Alice is on the first process, and Bob on the second.
  beforeEach(async () => {
    const [first] = cluster.houses;
    [alice, bob] = [await first!.person("alice"), await first!.person("bob")];
    home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    bob = at(url(1), bob);
  });

  /** Waits until later events have later times on every process: they know the database's time to some milliseconds. */
  async function later(): Promise<void> {
    const times = () => cluster.houses.map(({ running }) => running.house.connections.now());
    const latest = Math.max(...times()) + 100;
    await until(() => Math.min(...times()) > latest, "time stands still");
  }

  function together() {
    test("coming, every choice, and do-not-disturb by the hours are told on each process, each once", async () => {
      const ears = [await alice.listen(), await at(url(2), alice).listen()];
      const his = await bob.listen();
      for (const ear of ears) await isTold(ear, bob, "online");
      his.say("PRESENCE_UPDATE", { status: "idle" });
      for (const ear of ears) await isTold(ear, bob, "online", "idle");
      await bob.put("/auth/me/presence", { status: "invisible" });
      for (const ear of ears) await isTold(ear, bob, "online", "idle", "offline");
      await bob.put("/auth/me/presence", { status: "online" });
      for (const ear of ears) await isTold(ear, bob, "online", "idle", "offline", "online");
      const tomorrow = (new Date().getUTCDay() + 2) % 7;
      // His call goes to another process than the one with his socket.
      await at(url(2), bob).put("/auth/me/availability", {
        time_zone: "UTC",
        windows: [{ day: tomorrow, start: "09:00", end: "17:00" }],
        dnd_outside: true,
      });
      for (const ear of ears) await isTold(ear, bob, "online", "idle", "offline", "online", "dnd");
      for (const i of [0, 1, 2]) expect(await seen(at(url(i), alice), bob)).toBe("dnd");
    });

    test("READY on any process shows who is connected to any", async () => {
      await alice.listen();
      await bob.listen();
      const both = [alice.id, bob.id].toSorted();
      for (const i of [0, 1, 2])
        await until(
          async () => shown(await at(url(i), alice).listen()).join() === both.join(),
          `not both are seen at ${i}`,
        );
    });

    test("who comes into a server while they are connected elsewhere is shown to the next", async () => {
      const carol = await cluster.houses[0]!.person("carol");
      await at(url(2), carol).listen();
      await until(async () => (await seen(carol, carol)) === "online", "Carol is not seen");
      await alice.bringIn(home.id, carol);
      const ear = await bob.listen();
      // Her arrival is in READY, or follows in a moment if this process has not heard of it yet.
      await until(
        () => shown(ear).includes(carol.id) || told(ear, carol).includes("online"),
        "Carol is not shown",
      );
    });
  }

  describe("through Redis", together);

  describe("while Redis stands still", () => {
    beforeAll(() => cluster.redis.freeze());
    afterAll(() => cluster.redis.thaw());
    together();
  });

  test("offline shows ten seconds after the last socket of all processes closed, and once", async () => {
    const ears = [await alice.listen(), await at(url(2), alice).listen()];
    const his = [await bob.listen(), await at(url(2), bob).listen()];
    for (const ear of ears) await isTold(ear, bob, "online");
    his[0]!.close();
    await Bun.sleep(4000);
    const closed = performance.now();
    his[1]!.close();
    await his[1]!.closed;
    await until(() => told(ears[0]!, bob).length > 1, "he stays");
    expect(performance.now() - closed).toBeGreaterThan(9_000);
    for (const ear of ears) await isTold(ear, bob, "online", "offline");
  });

  test("the 51st socket at whatever process ends the oldest of all with 4011, and no other", async () => {
    const oldest = await at(url(2), bob).listen();
    await later();
    const others: Ear[] = [];
    for (let i = 0; i < 49; i++) {
      others.push(await at(url(i % 3), bob).listen());
      if (i === 0) await later();
    }
    const newest = await at(url(0), bob).listen();
    expect((await oldest.closed).code).toBe(4011);
    await newest.settle();
    for (const ear of [...others, newest]) expect(ear.socket.readyState).toBe(WebSocket.OPEN);
    const last = await at(url(1), bob).listen();
    expect((await others[0]!.closed).code).toBe(4011);
    await last.settle();
    expect(others.slice(1).every(({ socket }) => socket.readyState === WebSocket.OPEN)).toBeTrue();
    for (const ear of [...others, newest, last]) ear.close();
  });

  test("who is active at one process is active for all", async () => {
    const [first, second, third] = cluster.houses.map(({ running }) => running.house.activity);
    const his = await bob.listen();
    his.say("TYPING_START", { channel_id: home.general.id });
    for (const activity of [first!, second!, third!])
      await until(
        async () => (await activity.activeAmong([bob.id, alice.id])).has(bob.id),
        "he is not active",
      );
    expect(await first!.activeAmong([alice.id])).toEqual(new Set());
    his.close();
    await until(async () => (await first!.activeAmong([bob.id])).size === 0, "he is active without a socket");
  });

  test("a thousand who come at once are a handful of commits", async () => {
    const [first] = cluster.houses.map(({ running }) => running.house);
    const people = Array.from({ length: 1000 }, () => Bun.randomUUIDv7());
    const commits = first!.metrics.commits;
    const times = people.map(() => first!.connections.now());
    for (const [i, id] of people.entries()) first!.connections.opened(id, times[i]!);
    const there = cluster.houses[2]!.running.house.connections;
    await until(() => people.every((id) => there.has(id)), "some are missing");
    expect(first!.metrics.commits - commits).toBeLessThan(10);
    for (const [i, id] of people.entries()) first!.connections.closed(id, times[i]!);
  });

  test("a process that starts, and one that has lost its place, know who is connected", async () => {
    await bob.listen();
    const third = cluster.houses[2]!;
    await third.restart();
    const isSeen = async () => (await seen(at(third.url, alice), bob)) === "online";
    await until(isSeen, "a process that starts does not know that he is there");
    // Carol connected to the second process, and the third did not get the notice.
    const carol = await cluster.houses[0]!.person("carol");
    await at(url(0), alice).bringIn(home.id, carol);
    await third.running.house.database.transaction(async (db) => {
      const of = db.selectFrom("connections").selectAll().where("user_id", "=", bob.id);
      const his = await of.where("left_at", "is", null).executeTakeFirstOrThrow();
      await db
        .insertInto("connections")
        .values({ ...his, user_id: carol.id })
        .execute();
    });
    expect(await seen(at(third.url, alice), carol)).toBe("offline");
    third.running.house.bus.take([{ kind: "lost" }]);
    const isCarolSeen = async () => (await seen(at(third.url, alice), carol)) === "online";
    await until(isCarolSeen, "one that lost its place does not know that she is there");
  });
});

describe.skipIf(!canCluster)(`of processes${title}`, () => {
  const servers: ServerProcess[] = [];
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  /** Starts processes of these names; Bob and Carol are on the first, and Alice listens on the second. */
  async function scene(...names: string[]) {
    const cluster = await makeCluster();
    const mine = [];
    for (const name of names) mine.push(await startServer({ settings: cluster.settings(name) }));
    servers.push(...mine);
    const [first, second] = mine.map(({ url }) => ({ url }));
    const [alice, bob, carol, dave] = [
      await TestPerson.register(first!, "alice"),
      await TestPerson.register(first!, "bob"),
      await TestPerson.register(first!, "carol"),
      await TestPerson.register(first!, "dave"),
    ];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob, carol, dave);
    const hers = await at(second!.url, alice).listen();
    const gone = { bob: await bob.listen(), carol: await carol.listen() };
    for (const person of [bob, carol]) await isTold(hers, person, "online");
    return { cluster, servers: mine, bob, carol, dave, hers, gone };
  }

  test("one that is killed, or stands still, takes its people along within 90 s; one without Redis alone does not", async () => {
    const { cluster, servers, bob, carol, dave, hers } = await scene("killed", "hears", "still", "cut");
    await using _ = cluster;
    const [killed, hearing, still, cut] = servers as [
      ServerProcess,
      ServerProcess,
      ServerProcess,
      ServerProcess,
    ];
    await at(still.url, dave).listen();
    await isTold(hers, dave, "online");
    const began = performance.now();
    await killed.kill();
    standStill(still.pid);
    await at(cut.url, bob).listen();
    cluster.redis.freeze();
    for (const person of [carol, dave]) {
      await until(() => told(hers, person).length > 1, "online for ever");
      expect(told(hers, person)).toEqual(["online", "offline"]);
    }
    expect(performance.now() - began).toBeGreaterThan(10_000);
    // The process goes on, and so do its sockets.
    process.kill(still.pid, "SIGCONT");
    await isTold(hers, dave, "online", "offline", "online");
    expect(told(hers, bob)).toEqual(["online"]);
    cluster.redis.thaw();
    for (const server of [hearing, still, cut]) await server.stop();
  });

  test("one that ends in order hands its people over: who resumes in time was never away", async () => {
    // A busy machine may delay his return too long: then try again.
    for (let isInTime = false; !isInTime; ) {
      const { cluster, servers, bob, carol, hers, gone } = await scene("ends", "stays");
      await using _ = cluster;
      const [ending, staying] = servers as [ServerProcess, ServerProcess];
      const begun = performance.now();
      const left = ending.stop();
      expect((await gone.bob.closed).code).toBe(1012);
      // Uses up most of the time that the others wait.
      await Bun.sleep(5000);
      await Ear.open(staying.url, bob.token, gone.bob.resumePoint);
      isInTime = performance.now() - begun < 8000;
      await until(() => told(hers, carol).length > 1, "Carol stays");
      expect(told(hers, carol)).toEqual(["online", "offline"]);
      if (isInTime) expect(told(hers, bob)).toEqual(["online"]);
      await left;
      await staying.stop();
    }
  });
});
