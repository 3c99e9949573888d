// Operations that wait for a shared commit are divided by their rows, and the servers take turns.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { event, kind } from "../../protocol/event.ts";
import { onEachEngine, onOneProcess } from "../../tests/house/open/engines.ts";
import { serverPlace, serverStream } from "../place.ts";
import { newId } from "../tokens.ts";
import { CommitQueue, mostOperations, mostRows } from "./commit-queue.ts";
import type { House } from "./house.ts";
import { readLog } from "./log-table.ts";
import { UnitOfWork } from "./unit.ts";

const said = event(kind<{ id: string }>("SAID"), {
  summary: "Something was said",
  data: z.object({ id: z.string() }),
  happensIn: "server",
  risingId: ({ id }) => id,
});

const rowsOfDear = 101;

function say(unit: UnitOfWork, serverId: string, rows: number): string {
  const id = newId();
  unit.emit(said, serverPlace(serverId), { id });
  for (let i = 1; i < rows; i++)
    unit.append("push_mentions_of_many", { sender_id: newId(), channel_id: id, mentioned_at: 1 });
  return id;
}

onOneProcess("the queue of a shared commit", (house) => {
  class Asked {
    readonly queue = new CommitQueue();
    readonly #house: House = house().running.house;

    /** Adds `count` operations. Returns their ids in order. */
    add(count: number, serverId: string, rows: number): string[] {
      return Array.from({ length: count }, () => {
        const unit = new UnitOfWork(this.#house, this.#house.database.read, "cached");
        const id = say(unit, serverId, rows);
        const ends = { resolve: () => {}, reject: () => {} };
        this.queue.add({ unit, work: async () => id, result: id, ...ends, since: 0 });
        return id;
      });
    }

    /** Takes all operations. Returns the ids, one list per commit. */
    takeAll(): unknown[][] {
      const groups: unknown[][] = [];
      while (this.queue.length > 0) groups.push(this.queue.take().map(({ result }) => result));
      return groups;
    }
  }

  test("parts plain operations by their number alone, in their order", () => {
    const asked = new Asked();
    const ids = asked.add(mostOperations + 88, newId(), 3);
    expect(asked.takeAll()).toEqual([ids.slice(0, mostOperations), ids.slice(mostOperations)]);
  });

  test("parts operations of many rows by these, and loses none", () => {
    const asked = new Asked();
    const ids = asked.add(50, newId(), rowsOfDear);
    const enough = Math.ceil(mostRows / rowsOfDear);
    expect(asked.takeAll()).toEqual([
      ids.slice(0, enough),
      ids.slice(enough, 2 * enough),
      ids.slice(2 * enough),
    ]);
  });

  test("takes one with more rows than a commit should have by itself", () => {
    const asked = new Asked();
    const ids = asked.add(2, newId(), mostRows + 1);
    expect(asked.takeAll()).toEqual(ids.map((id) => [id]));
  });

  test("lets a server's operations pass the many rows of another", () => {
    const asked = new Asked();
    const dear = asked.add(400, newId(), rowsOfDear);
    const plain = asked.add(5, newId(), 3);
    const [first = [], ...others] = asked.takeAll();
    expect(first).toEqual(expect.arrayContaining(plain));
    expect([...first, ...others.flat()].filter((id) => !plain.includes(id as string))).toEqual(dear);
  });

  test("gives no server a second turn before each has had one", () => {
    const asked = new Asked();
    const backlogs = Array.from({ length: 2 * Math.ceil(mostRows / rowsOfDear) }, () => newId());
    const firsts = backlogs.map((serverId) => asked.add(3, serverId, rowsOfDear)[0]);
    const [mine] = asked.add(1, newId(), 3);
    const taken = asked.takeAll().flat();
    expect(taken.slice(0, taken.indexOf(mine))).toEqual(firsts);
    expect(new Set(taken).size).toBe(3 * backlogs.length + 1);
  });
});

onEachEngine("operations of many rows", (house) => {
  describe("beside those of another server", () => {
    test("are all written, in their order and by running once, and the others do not wait for them", async () => {
      const alice = await house().person("alice");
      const [busy, calm] = [(await alice.makeServer()).id, (await alice.makeServer()).id];
      const { house: running } = house().running;
      let runs = 0;
      const answered: string[] = [];
      const share = (serverId: string, rows: number) =>
        running
          .share(async (unit) => {
            runs++;
            return say(unit, serverId, rows);
          })
          .then((id) => {
            answered.push(serverId);
            return id;
          });
      const dear = Array.from({ length: 100 }, () => share(busy, rowsOfDear));
      const plain = Array.from({ length: 5 }, () => share(calm, 3));
      const [ids, plainIds] = [await Promise.all(dear), await Promise.all(plain)];
      expect(runs).toBe(105);
      expect(answered.lastIndexOf(calm)).toBeLessThan(answered.lastIndexOf(busy));
      expect(await saidIn(running, busy)).toEqual(ids);
      expect(await saidIn(running, calm)).toEqual(plainIds);
      const rows = await running.database.read
        .selectFrom("push_mentions_of_many")
        .select(({ fn }) => fn.countAll<number | string>().as("count"))
        .where("channel_id", "in", [...ids, ...plainIds])
        .executeTakeFirstOrThrow();
      expect(Number(rows.count)).toBe(100 * (rowsOfDear - 1) + 5 * 2);
    });
  });
});

async function saidIn({ database }: House, serverId: string): Promise<string[]> {
  const range = { stream: serverStream(serverId), after: 0, up_to: 1000 };
  const events = (await readLog(database.read, range, 1000)).map(({ frame }) => JSON.parse(frame));
  return events.filter(({ type }) => type === said.type).map(({ data }) => data.id);
}
