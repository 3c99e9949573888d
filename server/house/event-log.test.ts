// Pruning of the log in pieces: no deletion delays a request, however long the log is. Also when a walk of it starts.

import { beforeEach, expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { onOneProcess, type TestHouse } from "../../tests/house/open/engines.ts";
import { readConfig } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { keep, kept } from "../database/instance.ts";
import { features } from "../features.ts";
import { inClosedHouse } from "../open.ts";
import { personStream, type StreamKey, serverStream } from "../place.ts";
import { Clock } from "./clock.ts";
import { pruneLog } from "./log-table.ts";
import { walkLog } from "./log-walk.ts";

const dayMs = 24 * 3600_000;
/** More than any piece. */
const many = 2600;

const databaseOf = (house: TestHouse) => house.running.house.database;

const lengthOf = (house: TestHouse, serverId: string) => lengthIn(databaseOf(house), serverStream(serverId));

async function lengthIn({ read }: Database, stream: StreamKey): Promise<number> {
  const { count } = await read
    .selectFrom("events")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("stream", "=", stream)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of the stream's last event, and the number up to which its events were deleted. */
async function headOf(house: TestHouse, stream: StreamKey): Promise<{ seq: number; cut_to: number }> {
  const { read } = databaseOf(house);
  const head = read.selectFrom("streams").select(["seq", "cut_to"]).where("stream", "=", stream);
  return head.executeTakeFirstOrThrow();
}

/** Adds `count` events to the server's log, dated days ago. */
function happened(house: TestHouse, serverId: string, count: number): Promise<void> {
  return happenedIn(house, serverStream(serverId), count);
}

async function happenedIn(house: TestHouse, stream: StreamKey, count: number): Promise<void> {
  const database = databaseOf(house);
  const created_at = Date.now() - 3 * dayMs;
  await database.transaction(async (db) => {
    const { seq } = await db
      .updateTable("streams")
      .set((eb) => ({ seq: eb("seq", "+", count) }))
      .where("stream", "=", stream)
      .returning("seq")
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: count }, (_, i) => ({
      stream,
      seq: seq - i,
      audience: "members",
      touches: "",
      ends: null,
      frame: "{}",
      created_at,
    }));
    await database.insertRows(db, "events", rows, false);
  });
}

/** Dates all events of the server's log back by `days`; a negative number dates them ahead. */
async function age(house: TestHouse, serverId: string, days = 2): Promise<void> {
  await databaseOf(house).transaction((db) =>
    db
      .updateTable("events")
      .set({ created_at: Date.now() - days * dayMs })
      .where("stream", "=", serverStream(serverId))
      .execute(),
  );
}

onOneProcess("a log that has grown too long", (house) => {
  beforeEach(() => house().quiet());

  test("of a deleted server goes in pieces, and after a restart the rest of it", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    await happened(house(), home.id, many);
    expect((await alice.delete(`/servers/${home.id}`)).status).toBe(204);
    await age(house(), home.id);
    for (let piece = 0; piece < 2; piece++) {
      const before = await lengthOf(house(), home.id);
      expect(await pruneLog(house().running.house)).toBe(true);
      const gone = before - (await lengthOf(house(), home.id));
      expect(gone).toBeGreaterThan(0);
      expect(gone).toBeLessThanOrEqual(500);
    }
    await house().restart();
    await until(async () => (await lengthOf(house(), home.id)) === 0, "the rest of it is still there");
    while (await pruneLog(house().running.house));
    const streams = await databaseOf(house())
      .read.selectFrom("streams")
      .select("stream")
      .where("stream", "=", serverStream(home.id))
      .execute();
    expect(streams).toEqual([]);
  });

  test("of a deleted server goes in pieces, also what came after its end", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    expect((await alice.delete(`/servers/${home.id}`)).status).toBe(204);
    await happened(house(), home.id, many);
    await age(house(), home.id);
    for (let more = true; more; ) {
      const before = await lengthOf(house(), home.id);
      more = await pruneLog(house().running.house);
      expect(before - (await lengthOf(house(), home.id))).toBeLessThanOrEqual(501);
    }
    expect(await lengthOf(house(), home.id)).toBe(0);
  });

  test("of a living server goes in pieces down to its last 10,000, beside one that has none to spare", async () => {
    const alice = await house().person("alice");
    const [long, short] = [await alice.makeServer("Long"), await alice.makeServer("Short")];
    await happened(house(), long.id, 10_000 + many);
    await happened(house(), short.id, 10_000);
    await age(house(), long.id);
    await alice.say(long.general.id, "today");
    for (let more = true; more; ) {
      const before = await lengthOf(house(), long.id);
      more = await pruneLog(house().running.house);
      expect(before - (await lengthOf(house(), long.id))).toBeLessThanOrEqual(500);
    }
    expect(await lengthOf(house(), long.id)).toBe(10_000);
    expect(await lengthOf(house(), short.id)).toBeGreaterThanOrEqual(10_000);
    // A client that has heard less must not resume as if nothing were missing.
    const { seq, cut_to } = await headOf(house(), serverStream(long.id));
    expect(cut_to).toBe(seq - 10_000);
    expect((await headOf(house(), serverStream(short.id))).cut_to).toBe(0);
  });

  test("of a person goes down to its last 1,000; of the last day nothing goes", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const database = databaseOf(house());
    for (const [person, days] of [
      [alice, 2],
      [bob, 0.5],
    ] as const) {
      const stream = personStream(person.id);
      await person.patch("/auth/me", { status_text: "the first event of one's own" });
      await happenedIn(house(), stream, 1000 + many);
      const created_at = Date.now() - days * dayMs;
      await database.transaction((db) =>
        db.updateTable("events").set({ created_at }).where("stream", "=", stream).execute(),
      );
    }
    const before = await headOf(house(), personStream(bob.id));
    while (await pruneLog(house().running.house));
    expect(await lengthIn(database, personStream(alice.id))).toBe(1000);
    const { seq, cut_to } = await headOf(house(), personStream(alice.id));
    expect(cut_to).toBe(seq - 1000);
    expect(await lengthIn(database, personStream(bob.id))).toBeGreaterThanOrEqual(1000 + many);
    expect(await headOf(house(), personStream(bob.id))).toEqual(before);
  });

  test("that was written while the clock was a year ahead goes as well, once the clock is believed", async () => {
    const alice = await house().person("alice");
    const [long, ended] = [await alice.makeServer("Long"), await alice.makeServer("Ended")];
    await happened(house(), long.id, 10_000 + many);
    expect((await alice.delete(`/servers/${ended.id}`)).status).toBe(204);
    for (const { id } of [long, ended]) await age(house(), id, -365);
    // A closed house runs no jobs, so nothing else prunes.
    await house().shut();
    await inClosedHouse(readConfig([], house().settings), { features }, async ({ database, clock, log }) => {
      const lengths = () => Promise.all([long, ended].map(({ id }) => lengthIn(database, serverStream(id))));
      const before = await lengths();
      const doubted = new Clock(log, Date.now() + 365 * dayMs);
      while (await pruneLog({ database, clock: doubted }));
      expect(await lengths()).toEqual(before);
      while (await pruneLog({ database, clock }));
      expect(await lengths()).toEqual([10_000, 0]);
    });
    await house().open();
  });
});

onOneProcess("a walk through the log", (house) => {
  test("begins six hours after the one before, which goes on until it is over; a beginning in the future counts for nothing", async () => {
    await house().quiet();
    const database = databaseOf(house());
    const hourMs = dayMs / 24;
    const judge = { types: [], judge: async () => [], erased: async () => {} };
    /** True if a new walk starts when the previous one started at `begun_at`. */
    async function begins(begun_at: number, is_over = true): Promise<boolean> {
      const walk = { begun_at, is_over, stream: serverStream(""), seq: 0, head: 0 };
      await database.transaction((db) => keep(db, "log_walk", JSON.stringify(walk)));
      await walkLog(house().running.house, judge);
      const now = JSON.parse((await kept(database.read, "log_walk")) ?? "{}");
      expect(now.is_over).toBe(true);
      return now.begun_at !== begun_at;
    }
    const now = Date.now();
    expect(await begins(now - 6 * hourMs)).toBe(true);
    expect(await begins(now - 5 * hourMs)).toBe(false);
    expect(await begins(now + 7 * hourMs)).toBe(true);
    expect(await begins(now + 5 * hourMs)).toBe(false);
    expect(await begins(now - 100 * hourMs, false)).toBe(false);
  });
});
