// Connections at other processes: while the database is away, and when processes die, end, or have other settings.
import { afterEach, expect, setSystemTime, spyOn, test } from "bun:test";
import pg from "pg";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { Connections } from "../house/connections.ts";
import { Queue } from "../queue.ts";
import { newId } from "../tokens.ts";
import { forgetConnections } from "./connections-table.ts";
import { SameSettings, sumsOf } from "./same-settings.ts";

const news = 1000;

afterEach(() => void setSystemTime());

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "however much is heard while it is away, one read waits",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    await house.quiet();
    const { bus, database } = house.running.house;
    const away = spyOn(database, "isAway").mockReturnValue(true);
    const { read } = database;
    Object.defineProperty(database, "read", {
      configurable: true,
      get() {
        throw new Error("the database is away");
      },
    });
    using runs = spyOn(Queue.prototype, "run");
    for (let i = 0; i < news; i++) bus.take([{ kind: "sockets", by: "another", userIds: [newId()] }]);
    expect(runs.mock.calls.length).toBeLessThanOrEqual(2);
    away.mockRestore();
    Object.defineProperty(database, "read", { configurable: true, value: read });
    await house.end();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "nobody is active at a process that gave no sign of life for fifteen seconds",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const { connections, database } = house.running.house;
    const connect = async (id: string, process: string, silentMs: number) => {
      const now = Date.now();
      await database.transaction(async (db) => {
        await db
          .insertInto("processes")
          .values({ id: process, alive_at: now - silentMs, settings: "", signs_lines: 1, clock_ahead_ms: 0 })
          .execute();
        const row = { user_id: id, process, opened: "[1]", left_at: null, said_at: now, idle: 0 };
        await db.insertInto("connections").values(row).execute();
      });
    };
    await until(async () => {
      const begun = performance.now();
      const [here, gone] = [newId(), newId()];
      await connect(here, newId(), 10_000);
      await connect(gone, newId(), 16_000);
      const active = await connections.elsewhere.activeAmong([here, gone]);
      // When the machine stalls meanwhile, neither is active.
      const isInTime = performance.now() - begun < 4000;
      if (isInTime) expect(active).toEqual(new Set([here]));
      return isInTime;
    }, "this machine always stands still");
    await house.end();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "who came to another process while news were lost is known once that is",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const { bus, connections, database } = house.running.house;
    const [ada, elsewhere, dead] = [await house.person("ada"), newId(), newId()];
    const [left, gone, lost] = [newId(), newId(), newId()];
    await database.transaction(async (db) => {
      // The process's heartbeat is from an hour ahead.
      const alive_at = Date.now() + 3600_000;
      await db
        .insertInto("processes")
        .values({ id: elsewhere, alive_at, settings: "", signs_lines: 1, clock_ahead_ms: 0 })
        .execute();
      const row = { process: elsewhere, opened: "[]", left_at: null, said_at: null, idle: 0 };
      const rows = [
        { ...row, user_id: ada.id, opened: "[1]" },
        // One person left in this hour, one an hour ago, and one is connected to a dead process.
        { ...row, user_id: left, left_at: alive_at },
        { ...row, user_id: gone, left_at: Date.now() - 3600_000 },
        { ...row, user_id: lost, opened: "[1]", process: dead },
      ];
      await db.insertInto("connections").values(rows).execute();
    });
    expect(connections.has(ada.id)).toBe(false);
    bus.take([{ kind: "lost" }]);
    await until(() => connections.has(ada.id), "nobody has come");
    expect(connections.elsewhere.socketsOf(ada.id)).toEqual([1]);
    await until(() => connections.has(left), "who has just left was not there");
    expect([gone, lost].map((id) => connections.has(id))).toEqual([false, false]);
    await house.end();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "what a process that ends was about to write does not come after it has left",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const { house: running } = house.running;
    const { connections, database } = running;
    const ada = await house.person("ada");
    const held = Promise.withResolvers<void>();
    const writes: Promise<unknown>[] = [];
    const write = running.write.bind(running);
    running.write = (work) => {
      const written = (writes.length === 0 ? held.promise : Promise.resolve()).then(() => write(work));
      writes.push(written);
      return written;
    };
    connections.opened(ada.id, 1);
    await until(() => writes.length > 0, "nothing is written");
    const stopping = connections.stop();
    expect(writes).toHaveLength(1);
    held.resolve();
    await until(() => writes.length > 1, "the process does not leave");
    await Promise.all([stopping, ...writes]);
    const rows = await database.read.selectFrom("connections").select(["user_id", "left_at"]).execute();
    expect(rows).toEqual([{ user_id: ada.id, left_at: expect.any(Number) }]);
    await house.end();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "a clock that is set an hour ahead makes no socket look like one of later",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const { connections } = house.running.house;
    const before = connections.now();
    setSystemTime(Date.now() + 3600_000);
    expect(connections.now() - before).toBeLessThan(60_000);
    await house.end();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "an answer that is seconds late makes no socket look like one of before",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const { connections, database } = house.running.house;
    const offset = () => connections.elsewhere.now() - performance.now();
    const before = offset();
    const holder = new pg.Client({ connectionString: house.settings.DATABASE_URL });
    await holder.connect();
    const one = async (text: string) => (await holder.query(text)).rows[0];
    const heldUp = "from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))";
    // The statement takes the time when it begins, and then waits for the row.
    await holder.query("begin");
    const { alive_at } = await one("select alive_at from processes for update");
    const isHeldUp = async () => (await one(`select count(*)::int ${heldUp}`)).count > 0;
    await until(isHeldUp, "the process gives no sign of life");
    await Bun.sleep(1500);
    await holder.query("rollback");
    const isAnswered = async () => (await one("select alive_at from processes")).alive_at !== alive_at;
    await until(isAnswered, "the sign of life does not arrive");
    // A query of its own, which is answered after that.
    await database.read.selectFrom("processes").select("id").execute();
    expect(offset() - before).toBeGreaterThan(-500);
    await holder.end();
    await house.end();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "what somebody says on a socket is written down for the other processes",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const { read } = house.running.house.database;
    const ada = await house.person("ada");
    const saidAt = async () => {
      const of = read.selectFrom("connections").select("said_at").where("user_id", "=", ada.id);
      return (await of.executeTakeFirst())?.said_at ?? 0;
    };
    const ear = await ada.listen();
    await until(async () => (await saidAt()) > 0, "her socket is not written down");
    const before = await saidAt();
    ear.say("PRESENCE_UPDATE", { status: "idle" });
    await until(async () => (await saidAt()) > before, "what she said is not written down");
    ear.close();
    await house.end();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "rows go that a dead process left, or somebody who left a minute ago; others stay",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    await house.quiet();
    const { database } = house.running.house;
    const now = Date.now();
    const process = async (agoMs: number) => {
      const id = newId();
      const more = { settings: "", signs_lines: 1, clock_ahead_ms: 0 };
      await database.transaction((db) =>
        db
          .insertInto("processes")
          .values({ id, alive_at: now - agoMs, ...more })
          .execute(),
      );
      return id;
    };
    const connect = async (process: string, left_at: number | null = null) => {
      const user_id = newId();
      const row = { user_id, process, opened: "[]", left_at, said_at: null, idle: 0 };
      await database.transaction((db) => db.insertInto("connections").values(row).execute());
      return user_id;
    };
    // Alive with a heartbeat from an hour ahead; the others were last alive two minutes and an hour ago.
    const [alive, dead, forgotten] = [
      await process(-3600_000),
      await process(120_000),
      await process(3600_000),
    ];
    const stay = [await connect(alive), await connect(alive, now + 3600_000)];
    for (const [of, left_at] of [
      [alive, now - 120_000],
      [dead, null],
    ] as const)
      await connect(of, left_at);
    expect(await forgetConnections.run(house.running.house)).toBe(false);
    const rows = await database.read.selectFrom("connections").select("user_id").execute();
    expect(rows.map(({ user_id }) => user_id).sort()).toEqual(stay.sort());
    const left = await database.read.selectFrom("processes").select("id").execute();
    const ids = left.map(({ id }) => id);
    expect([alive, dead, forgotten].map((id) => ids.includes(id))).toEqual([true, true, false]);
    await house.end();
  },
);

test("the oldest of a person's sockets that are too many is found over all processes", () => {
  const connections = new Connections({ changed() {} });
  connections.elsewhere = { ...connections.elsewhere, socketsOf: () => [10, 40] };
  for (const since of [20, 30]) connections.opened("ada", since);
  const upTo = (most: number) => connections.oldestAbove("ada", most);
  expect([upTo(4), upTo(3), upTo(2), upTo(1)]).toEqual([undefined, 10, 20, 30]);
  connections.closed("ada", 20);
  expect([upTo(3), upTo(2), upTo(1)]).toEqual([undefined, 10, 30]);
  // Every sign-in gets a distinct time: of two equally old sockets, both would end for one too many.
  const times = Array.from({ length: 1000 }, () => connections.now());
  expect([...new Set(times)]).toEqual(times.toSorted((one, other) => one - other));
});

test("a process that was started with other settings is told of by their names, once for each difference", async () => {
  const mail = { SMTP_URL: "smtp://ada:swordfish@127.0.0.1:9", MAIL_FROM: "hearth@chat.example" };
  const house = await makeHouse("SQLite", mail, undefined, true);
  await house.open();
  const { house: running } = house.running;
  using warn = spyOn(running.log, "warn").mockImplementation(() => {});
  const same = new SameSettings(running);
  const mine = sumsOf(running.config);
  // It holds no values, and no settings that are secret or may differ between processes.
  expect(same.json).not.toMatch(/chat\.example|127\.0\.0\.1|swordfish|ada/);
  for (const name of [
    "PORT",
    "DATA_DIR",
    "DATABASE_URL",
    "METRICS_TOKEN",
    "SMTP_URL",
    "GIF_API_KEY",
    "LIVEKIT_API_SECRET",
  ])
    expect(Object.keys(mine)).not.toContain(name);
  // Two processes may sign in by different names, but must sign in to the same server.
  const sumOf = (REDIS_URL: string) => sumsOf({ environment: { REDIS_URL } }).REDIS_URL;
  expect(sumOf("redis://eve:salmon@one:6379")).toBe(sumOf("redis://ada:swordfish@one:6379"));
  expect(sumOf("redis://ada:swordfish@two:6379")).not.toBe(sumOf("redis://ada:swordfish@one:6379"));
  same.compare([same.json, "", JSON.stringify({ SETTING_OF_TOMORROW: "x" })]);
  expect(warn).not.toHaveBeenCalled();
  const other = JSON.stringify({ ...mine, MAIL_FROM: "another" });
  for (let beat = 0; beat < 3; beat++) same.compare([same.json, other]);
  expect(warn.mock.calls).toEqual([[{ settings: "MAIL_FROM" }, expect.stringContaining("other settings")]]);
  same.compare([same.json]);
  same.compare([other]);
  expect(warn).toHaveBeenCalledTimes(2);
  await house.end();
});
