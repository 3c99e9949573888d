// The events that a lost connection missed: too many are refused before anything is read from the log.

import { expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { House } from "../house/house.ts";
import { headOf } from "../house/log-table.ts";
import { Pace } from "../house/pieces.ts";
import { personStream, type StreamKey, serverStream } from "../place.ts";
import { leastHeld } from "./audience.ts";
import type { ReadyView } from "./ready.ts";
import { ReadyLists } from "./ready-lists.ts";
import { owedSince } from "./resume.ts";
import { PieceTurns } from "./turns.ts";

const turns = new PieceTurns();

/** The house, counting accesses to its database. */
function counted(house: House) {
  const seen = { reads: 0 };
  const watched: House = Object.create(house, {
    database: {
      get() {
        seen.reads++;
        return house.database;
      },
    },
  });
  return { house: watched, seen };
}

function viewOf(...servers: [id: string, seq: number][]): ReadyView {
  const view = (stream: StreamKey, seq: number) => ({ stream, seq, held: leastHeld, roleIds: [], at: 0 });
  return {
    ofCaller: {},
    lists: new ReadyLists(new Pace()),
    personal: view(personStream("somebody"), 0),
    servers: servers.map(([id, seq]) => ({ id, json: "{}", ...view(serverStream(id), seq) })),
  };
}

onEachEngine("a resume", (house) => {
  test("from too far back is refused before the log is counted, also when it adds up over servers", async () => {
    const { house: watched, seen } = counted(house().running.house);
    const { epoch } = watched;
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const far = viewOf([one, 500_000]);
    expect(await owedSince(watched, { epoch, streams: { [one]: 0 } }, far, turns)).toBeNull();
    const both = viewOf([one, 10_001], [two, 10_000]);
    expect(await owedSince(watched, { epoch, streams: { [one]: 0, [two]: 0 } }, both, turns)).toBeNull();
    const wrong = viewOf([one, 5], [two, 5]);
    expect(await owedSince(watched, { epoch, streams: { [one]: 0, [two]: 6 } }, wrong, turns)).toBeNull();
    expect(seen.reads).toBe(0);
  });

  test("from 10,000 events back on each of two servers is still looked at, and whole", async () => {
    const alice = await house().person("alice");
    const { house: watched, seen } = counted(house().running.house);
    const [one, two] = [await alice.makeServer(), await alice.makeServer()];
    const from = { [one.id]: 0, [two.id]: 0 };
    for (const { id } of [one, two]) {
      from[id] = (await streamOf(watched, id)).seq;
      await fill(watched, id, 10_000);
    }
    const view = viewOf([one.id, (from[one.id] ?? 0) + 10_000], [two.id, (from[two.id] ?? 0) + 10_000]);
    seen.reads = 0;
    const owed = await owedSince(watched, { epoch: watched.epoch, streams: from }, view, turns);
    expect(owed?.map(({ stream, from: after, upTo }) => [stream, upTo - after])).toEqual([
      [serverStream(one.id), 10_000],
      [serverStream(two.id), 10_000],
    ]);
    expect(seen.reads).toBeGreaterThan(0);
  });

  test("is counted in pieces that wait for one another, however many resume at once", async () => {
    const alice = await house().person("alice");
    const { house: watched, seen } = counted(house().running.house);
    const home = await alice.makeServer();
    const { seq } = await streamOf(watched, home.id);
    await fill(watched, home.id, 5000);
    const { epoch } = watched;
    const resume = () =>
      owedSince(watched, { epoch, streams: { [home.id]: seq } }, viewOf([home.id, seq + 5000]), turns);
    let mostInOneTurn = 0;
    let before = seen.reads;
    const look = () => {
      mostInOneTurn = Math.max(mostInOneTurn, seen.reads - before);
      before = seen.reads;
      next = setImmediate(look);
    };
    let next = setImmediate(look);
    const owed = await Promise.all(Array.from({ length: 10 }, resume));
    clearImmediate(next);
    expect(owed).toEqual(Array(10).fill([{ stream: serverStream(home.id), from: seq, upTo: seq + 5000 }]));
    // The last piece of each, and its check where the log is cut, weigh little: they may share a turn.
    expect(mostInOneTurn).toBeLessThanOrEqual(10 + 2);
  });
});

function streamOf({ database }: House, serverId: string) {
  return headOf(database.read, serverStream(serverId));
}

async function fill(house: House, serverId: string, count: number): Promise<void> {
  const { seq } = await streamOf(house, serverId);
  const stream = serverStream(serverId);
  const row = { stream, audience: "viewers", touches: "", ends: null, frame: "{}" };
  const rows = Array.from({ length: count }, (_, i) => ({
    ...row,
    seq: seq + 1 + i,
    created_at: Date.now(),
  }));
  await house.database.transaction(async (db) => {
    for (let i = 0; i < count; i += 1000) {
      await house.database.insertRows(db, "events", rows.slice(i, i + 1000), false);
    }
    await db
      .updateTable("streams")
      .set({ seq: seq + count })
      .where("stream", "=", stream)
      .execute();
  });
}
