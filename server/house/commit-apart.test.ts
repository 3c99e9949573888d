// The lanes of held streams: waiting operations come to an end, in bounded commits, and in order.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import pg from "pg";
import { z } from "zod";
import { Refusal } from "../../protocol/errors.ts";
import { event, kind } from "../../protocol/event.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { type Home, serverPlace, serverStream } from "../place.ts";
import { newId } from "../tokens.ts";
import { CommitApart } from "./commit-apart.ts";
import type { Waiting } from "./commit-group.ts";
import { mostOperations } from "./commit-queue.ts";
import { heldStreams } from "./held-streams.ts";
import type { House } from "./house.ts";
import { UnitOfWork } from "./unit.ts";

const said = event(kind<{ id: string }>("SAID"), {
  summary: "Something was said",
  data: z.object({ id: z.string() }),
  happensIn: "server",
});

interface Asked extends Waiting {
  /** Resolves with the error that refuses the operation. */
  refused: Promise<unknown>;
}

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("lanes (skipped where there is no PostgreSQL)", () => {
  let testHouse: TestHouse;
  let house: House;
  let holder: pg.Client;
  let someServer: () => Promise<string>;

  beforeAll(async () => {
    testHouse = await makeHouse("PostgreSQL", {}, undefined, true);
    await testHouse.open();
    house = testHouse.running.house;
    holder = new pg.Client({ connectionString: testHouse.settings.DATABASE_URL });
    await holder.connect();
    const alice = await testHouse.person("alice");
    someServer = async () => (await alice.makeServer()).id;
  });
  afterAll(async () => {
    await holder?.end();
    await testHouse?.end();
  });

  function ask(serverId: string, waitedMs = 0): Asked {
    const unit = new UnitOfWork(house, house.database.read, "cached");
    unit.emit(said, serverPlace(serverId), { id: newId() });
    const { promise: refused, resolve: reject } = Promise.withResolvers<unknown>();
    const since = performance.now() - waitedMs;
    return { unit, work: async () => undefined, result: serverId, resolve: () => {}, reject, since, refused };
  }

  const streamOf = ({ unit }: Waiting): Home => unit.events[0]!.place.home;

  test("an operation of a held stream is refused in time, however often other lanes have their turn", async () => {
    const [held, other] = [await someServer(), await someServer()];
    await holder.query("begin");
    await holder.query("select from streams where stream = $1 for update", [serverStream(held)]);
    let isOver = false;
    const tried = new Set<Home>();
    const apart: CommitApart = new CommitApart(house, async (group) => {
      for (const each of group) tried.add(streamOf(each));
      // Simulates that each of them met a held row.
      if (!isOver) await apart.part(group);
    });
    // The row of the other server's stream is free: another row blocks it.
    await apart.part([ask(other)]);
    await apart.part([ask(held)]);
    await until(() => tried.size === 2, "one of them is never tried");
    const waiting = ask(held, house.database.heldMs - 500);
    await apart.part([waiting]);
    expect(await waiting.refused).toMatchObject({ code: "unavailable", status: 503 });
    // A held stream is retried, too: a row that is held most of the time is free now and then.
    expect([...tried].sort()).toEqual([serverStream(held), serverStream(other)].sort());
    isOver = true;
    await holder.query("rollback");
  });

  test("a lane that is never empty has sixteen commits in a row, and then a held one is tried", async () => {
    const [busy, held] = [await someServer(), await someServer()];
    await holder.query("begin");
    await holder.query("select from streams where stream = $1 for update", [serverStream(held)]);
    const committed: Home[] = [];
    const apart: CommitApart = new CommitApart(house, async ([each]) => {
      const stream = streamOf(each!);
      committed.push(stream);
      if (stream === serverStream(busy) && committed.length < 50) expect(apart.take([ask(busy)])).toEqual([]);
    });
    for (const each of [busy, held]) heldStreams(house).note(serverStream(each));
    // The first round begins with the busy lane alone.
    expect(apart.take([ask(busy), ask(held)])).toEqual([]);
    await until(() => committed.length >= 50, "the busy one does not go on");
    // In the second round, after the next sixteen commits of the busy lane.
    expect(committed.indexOf(serverStream(held))).toBe(2 * 16);
    await holder.query("rollback");
  });

  test("a lane is committed in bounded pieces, in its order, and what comes meanwhile goes behind it", async () => {
    const busy = await someServer();
    const committed: Waiting[][] = [];
    const late = ask(busy);
    const apart: CommitApart = new CommitApart(house, async (group) => {
      committed.push(group);
      if (committed.length > 1) return;
      // Only the commit itself holds the stream, so other changes of the server may wait for it.
      expect(heldStreams(house).has(serverStream(busy))).toBe(false);
      expect(apart.take([late])).toEqual([]);
    });
    const asked = Array.from({ length: mostOperations + 100 }, () => ask(busy));
    await apart.part(asked);
    await until(() => committed.length === 2, "the lane is not committed");
    expect(committed.map(({ length }) => length)).toEqual([mostOperations, 101]);
    expect(committed.flat().map(({ unit }) => unit)).toEqual([...asked, late].map(({ unit }) => unit));
  });

  test("more than a thousand that wait are refused with a reason", async () => {
    const crowded = await someServer();
    heldStreams(house).note(serverStream(crowded));
    const asked = Array.from({ length: 1001 }, () => ask(crowded));
    const apart = new CommitApart(house, async () => {});
    expect(apart.take(asked)).toEqual([]);
    expect(await asked.at(-1)!.refused).toBeInstanceOf(Refusal);
  });
});
