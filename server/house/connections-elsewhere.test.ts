// News of who is connected elsewhere: while the database does not say who that is, and of processes that die or end.
import { afterEach, expect, setSystemTime, spyOn, test } from "bun:test";
import pg from "pg";
import { makeHouse } from "../../tests/house/engines.ts";
import { until } from "../../tests/house/waiting.ts";
import { Queue } from "../queue.ts";
import { newId } from "../tokens.ts";

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
        const row = { user_id: id, process, opened: "[1]", left_at: null, said_at: now };
        await db.insertInto("connections").values(row).execute();
      });
    };
    await until(async () => {
      const begun = performance.now();
      const [here, gone] = [newId(), newId()];
      await connect(here, newId(), 10_000);
      await connect(gone, newId(), 16_000);
      const active = await connections.elsewhere.activeAmong([here, gone]);
      // Where the machine stands still meanwhile, neither is.
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
    const [ada, elsewhere] = [await house.person("ada"), newId()];
    await database.transaction(async (db) => {
      // It gives its signs of life from now on for an hour.
      const alive_at = Date.now() + 3600_000;
      await db
        .insertInto("processes")
        .values({ id: elsewhere, alive_at, settings: "", signs_lines: 1, clock_ahead_ms: 0 })
        .execute();
      const row = { user_id: ada.id, process: elsewhere, opened: "[1]", left_at: null, said_at: null };
      await db.insertInto("connections").values(row).execute();
    });
    expect(connections.has(ada.id)).toBe(false);
    bus.take([{ kind: "lost" }]);
    await until(() => connections.has(ada.id), "nobody has come");
    expect(connections.elsewhere.socketsOf(ada.id)).toEqual([1]);
    await house.end();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "what a process that ends was about to write does not come after it has left",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const { connections, database } = house.running.house;
    const ada = await house.person("ada");
    connections.setSockets(ada.id, [1]);
    await connections.stop();
    await Bun.sleep(200);
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
    // The time is taken when the statement begins, which then waits for the row.
    await holder.query("begin");
    const { alive_at } = await one("select alive_at from processes for update");
    const isHeldUp = async () => (await one(`select count(*)::int ${heldUp}`)).count > 0;
    await until(isHeldUp, "the process gives no sign of life");
    await Bun.sleep(1500);
    await holder.query("rollback");
    const isAnswered = async () => (await one("select alive_at from processes")).alive_at !== alive_at;
    await until(isAnswered, "the sign of life does not arrive");
    // A question of its own, which is answered behind that.
    await database.read.selectFrom("processes").select("id").execute();
    expect(offset() - before).toBeGreaterThan(-500);
    await holder.end();
    await house.end();
  },
);
