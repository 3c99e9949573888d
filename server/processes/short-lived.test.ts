// The common guarantees of short-lived values, in memory or in a table that processes share.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import pg from "pg";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { endSooner } from "../../tests/house/scenes/short-lived.ts";
import type { Kind, ShortLived } from "../house/short-lived.ts";
import { MemoryShortLived } from "../house/short-lived-memory.ts";
import { forgetEnded, TableShortLived } from "./short-lived-table.ts";

interface Note {
  by: string;
  count: number;
}

const note: Note = { by: "alice", count: 1 };
const newer = { by: "bob", count: 2 };
const minute = 60_000;
let kinds = 0;

/**
 * Tests the guarantees between two processes: `open` returns the values of one kind as each of them sees them. `later`
 * lets this many milliseconds pass for them.
 */
function promises(
  open: (kind: Kind) => [ShortLived<Note>, ShortLived<Note>],
  later: (ms: number) => Promise<void>,
) {
  let one: ShortLived<Note>;
  let other: ShortLived<Note>;
  const fresh = (more: Partial<Kind> = {}) =>
    open({ name: `kind ${++kinds}`, keptMs: 60_000, most: 100, ...more });
  beforeEach(() => {
    [one, other] = fresh();
  });

  test("what one puts, the other finds as often as it looks, and the latest counts", async () => {
    expect(await other.peek("key")).toBeUndefined();
    await one.put("key", note);
    for (let i = 0; i < 2; i++) expect(await other.peek("key")).toEqual(note);
    await other.put("key", newer);
    expect(await one.peek("key")).toEqual(newer);
    expect(await one.peek("another key")).toBeUndefined();
  });

  test("it is taken once, however many take it at once", async () => {
    await one.put("key", note);
    const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? one : other).take("key")));
    expect(taken.filter((value) => value !== undefined)).toEqual([note]);
    expect(await one.peek("key")).toBeUndefined();
  });

  test("one kind knows nothing of another", async () => {
    await one.put("key", note);
    const [stranger] = fresh();
    expect(await stranger.take("key")).toBeUndefined();
    expect(await stranger.values("")).toEqual([]);
    await stranger.clear();
    expect(await one.peek("key")).toEqual(note);
  });

  test("it ends, for all ways of looking", async () => {
    const [brief] = fresh({ keptMs: 10 * minute });
    for (const key of ["peeked", "taken", "changed"]) await brief.put(key, note);
    await later(5 * minute);
    expect(await brief.values("")).toHaveLength(3);
    await later(5 * minute);
    expect(await brief.values("")).toEqual([]);
    expect(await brief.peek("peeked")).toBeUndefined();
    expect(await brief.take("taken")).toBeUndefined();
    const seen: unknown[] = [];
    await brief.change("changed", (known) => void seen.push(known));
    expect(seen).toEqual([undefined]);
  });

  test("a change that keeps it as it is lets it begin anew, and makes nothing of nothing", async () => {
    const [brief, elsewhere] = fresh({ keptMs: 10 * minute });
    for (const key of ["key", "left alone"]) await brief.put(key, note);
    await later(5 * minute);
    await elsewhere.change("key", (known) => known);
    await later(5 * minute);
    expect(await brief.peek("key")).toEqual(note);
    expect(await brief.peek("left alone")).toBeUndefined();
    await elsewhere.change("left alone", (known) => known);
    expect(await brief.peek("left alone")).toBeUndefined();
  });

  test("no change of many at once is lost, the first of a key among them", async () => {
    const count = (store: ShortLived<Note>) =>
      store.change("key", (known) => ({ by: "all", count: (known?.count ?? 0) + 1 }));
    await Promise.all(Array.from({ length: 40 }, (_, i) => count(i % 2 ? one : other)));
    expect(await one.peek("key")).toEqual({ by: "all", count: 40 });
  });

  test("an error of a change is thrown, and leaves it as it was", async () => {
    await one.put("key", note);
    const failing = one.change("key", () => {
      throw new Error("not now");
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("not now");
    expect(await other.peek("key")).toEqual(note);
  });

  test("changes go by one clock", async () => {
    const times: number[] = [];
    for (const store of [one, other, one]) await store.change("key", (_, now) => void times.push(now));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // Two clocks would begin at different times.
    expect(times[2]! - times[0]!).toBeLessThan(60 * minute);
  });

  test("those are listed whose keys begin alike, whatever the signs", async () => {
    for (const key of ["a 1", "a 2", "a", "b 1", "a%", "\u{10fffe}"])
      await one.put(key, { ...note, by: key });
    const listed = async (beginning: string) =>
      (await other.values(beginning)).map(({ by }) => by).toSorted();
    expect(await listed("a ")).toEqual(["a 1", "a 2"]);
    expect(await listed("a%")).toEqual(["a%"]);
    expect(await listed("")).toHaveLength(6);
    expect(await listed("c")).toEqual([]);
    await one.clear();
    expect(await listed("")).toEqual([]);
  });

  test("there are never more than there is room for: those that end first give way", async () => {
    const [few, elsewhere] = fresh({ most: 3 });
    const keys = ["a", "b", "c", "d", "e"];
    for (const [i, key] of keys.entries()) await (i % 2 ? elsewhere : few).put(key, { ...note, by: key });
    expect((await few.values("")).map(({ by }) => by)).toEqual(["c", "d", "e"]);
    await elsewhere.put("c", { ...note, by: "c" });
    await few.put("f", { ...note, by: "f" });
    expect((await few.values("")).map(({ by }) => by)).toEqual(["e", "c", "f"]);
  });
}

describe("short-lived values in memory", () => {
  let at: number | undefined;
  afterEach(() => {
    setSystemTime();
    at = undefined;
  });
  const later = async (ms: number) => {
    at = (at ?? Date.now()) + ms;
    setSystemTime(at);
  };

  promises((kind) => {
    const store = new MemoryShortLived<Note>(kind);
    return [store, store];
  }, later);

  test("of a flood of ended ones only some go at a time, so that the next put does not wait for all", async () => {
    const store = new MemoryShortLived<Note>({ name: "flood", keptMs: minute, most: 10_000 });
    for (let i = 0; i < 1000; i++) await store.put(`early ${i}`, note);
    await later(minute);
    expect(await store.values("")).toEqual([]);
    await store.put("late", note);
    expect(store.size).toBe(981);
    for (let i = 0; i < 49; i++) await store.put(`later ${i}`, note);
    expect(store.size).toBeLessThanOrEqual(50);
  });
});

const hasPostgres = Bun.env.HEARTH_TEST_POSTGRES !== undefined;
const title = hasPostgres ? "" : " (skipped: no PostgreSQL binaries here)";

describe.skipIf(!hasPostgres)(`short-lived values in a table${title}`, () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
  });
  afterAll(() => house?.end());

  const opened = (kind: Kind) => new TableShortLived<Note>(house.running.house.database, kind);
  const rows = async () =>
    (await house.running.house.database.read.selectFrom("short_lived").select("key").execute()).length;

  promises(
    (kind) => [opened(kind), opened(kind)],
    (ms) => endSooner(house, ms),
  );

  test("stay near the most that there may be while they come, and leave nothing behind", async () => {
    const { database } = house.running.house;
    await database.read.deleteFrom("short_lived").execute();
    const flood = opened({ name: "flood", keptMs: 60_000, most: 1000 });
    // Not all at the same moment: none waits for a connection for long.
    for (let i = 0; i < 1500; i += 100)
      await Promise.all(Array.from({ length: 100 }, (_, j) => flood.put(`key ${i + j}`, note)));
    expect(await rows()).toBeWithin(1000, 1011);
    await endSooner(house, 60_000);
    expect(await flood.values("")).toEqual([]);
    await forgetEnded.run(house.running.house);
    expect(await rows()).toBe(0);
  });

  test("changes that wait for another process leave others their connections", async () => {
    const { database } = house.running.house;
    const crowded = opened({ name: "crowded", keptMs: 60_000, most: 100 });
    const elsewhere = new pg.Client({ connectionString: house.settings.DATABASE_URL });
    await elsewhere.connect();
    await elsewhere.query("select pg_advisory_lock(hashtextextended('crowded key', 0))");
    let changed = 0;
    const changes = Array.from({ length: 30 }, () => crowded.change("key", () => note).then(() => changed++));
    await database.transaction((db) => db.selectFrom("instance").selectAll().execute());
    expect(changed).toBe(0);
    await elsewhere.end();
    await Promise.all(changes);
    expect(changed).toBe(30);
  });
});
