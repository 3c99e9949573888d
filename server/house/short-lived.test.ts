// One set of promises for short-lived values, whether they lie in memory or in a table that processes share.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { makeHouse, type TestHouse } from "../../tests/house/engines.ts";
import { endSooner } from "../../tests/house/short-lived.ts";
import { until } from "../../tests/house/waiting.ts";
import type { Kind, ShortLived } from "./short-lived.ts";
import { MemoryShortLived } from "./short-lived-memory.ts";
import { forgetEnded, TableShortLived } from "./short-lived-table.ts";

interface Note {
  by: string;
  count: number;
}

const note: Note = { by: "alice", count: 1 };
const later = { by: "bob", count: 2 };
let kinds = 0;

/** What any two processes see: `open` returns the values of one kind as each of them has them. */
function promises(open: (kind: Kind) => [ShortLived<Note>, ShortLived<Note>]) {
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
    await other.put("key", later);
    expect(await one.peek("key")).toEqual(later);
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
    const [brief] = fresh({ keptMs: 3000 });
    // Again where the machine stood still for as long as they last.
    await until(async () => {
      for (const key of ["peeked", "taken", "changed"]) await brief.put(key, note);
      return (await brief.values("")).length === 3;
    }, "they are not there");
    await until(async () => (await brief.values("")).length === 0, "it does not end");
    expect(await brief.peek("peeked")).toBeUndefined();
    expect(await brief.take("taken")).toBeUndefined();
    const seen: unknown[] = [];
    await brief.change("changed", (known) => void seen.push(known));
    expect(seen).toEqual([undefined]);
  });

  test("a change that keeps it as it is lets it begin anew, and makes nothing of nothing", async () => {
    const [brief, elsewhere] = fresh({ keptMs: 3000 });
    const outlives = async () => {
      await brief.put("key", note);
      await brief.put("left alone", note);
      await until(async () => {
        await elsewhere.change("key", (known) => known);
        return (await brief.peek("left alone")) === undefined;
      }, "it does not end");
      return (await brief.peek("key"))?.by === note.by;
    };
    // Again where the machine stood still for as long as they last.
    await until(outlives, "it ends with what was left alone");
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
    expect(times[2]! - times[0]!).toBeLessThan(10_000);
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
  promises((kind) => {
    const store = new MemoryShortLived<Note>(kind);
    return [store, store];
  });

  test("of a flood of ended ones only some go at a time, so that the next put does not wait for all", async () => {
    const store = new MemoryShortLived<Note>({ name: "flood", keptMs: 1000, most: 10_000 });
    for (let i = 0; i < 1000; i++) await store.put(`early ${i}`, note);
    await until(async () => (await store.values("")).length === 0, "they do not end");
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
    house = await makeHouse("PostgreSQL", {});
    await house.open();
  });
  afterAll(() => house?.end());

  const opened = (kind: Kind) => new TableShortLived<Note>(house.running.house.database, kind);
  const rows = async () =>
    (await house.running.house.database.read.selectFrom("short_lived").select("key").execute()).length;

  promises((kind) => [opened(kind), opened(kind)]);

  test("stay near the most that there may be while they come, and leave nothing behind", async () => {
    const { database } = house.running.house;
    await database.read.deleteFrom("short_lived").execute();
    const flood = opened({ name: "flood", keptMs: 60_000, most: 1000 });
    const puts = Array.from({ length: 1500 }, (_, i) => flood.put(`key ${i}`, note));
    await Promise.all(puts);
    expect(await rows()).toBeWithin(1000, 1011);
    await endSooner(house, 60_000);
    expect(await flood.values("")).toEqual([]);
    await forgetEnded.run(house.running.house);
    expect(await rows()).toBe(0);
  });

  test("changes that wait for another process leave others their connections", async () => {
    const { database } = house.running.house;
    const crowded = opened({ name: "crowded", keptMs: 60_000, most: 100 });
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const elsewhere = database.transaction(async (db) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('crowded key', 0))`.execute(db);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    let changed = 0;
    const changes = Array.from({ length: 30 }, () => crowded.change("key", () => note).then(() => changed++));
    await database.transaction((db) => sql`select 1`.execute(db));
    expect(changed).toBe(0);
    released.resolve();
    await Promise.all([elsewhere, ...changes]);
    expect(changed).toBe(30);
  });
});
