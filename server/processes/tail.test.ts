// A process that cannot read other processes' commits, or is far behind: its caches are not trusted for long, and its
// listeners start over.

import { afterEach, expect, setSystemTime, spyOn, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { serverStream } from "../place.ts";
import { Notices } from "./notices.ts";

afterEach(() => void setSystemTime());

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "while a look hangs, what is remembered is forgotten, again and again",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const held = Promise.withResolvers<undefined>();
    using look = spyOn(Notices.prototype, "read").mockReturnValue(held.promise);
    await until(() => look.mock.calls.length > 0, "it does not look");
    const remembered = house.running.house.cache<string>("thoughts", 10);
    await remembered.get("one", async () => "kept");
    expect(remembered.peek("one")).toBe("kept");
    setSystemTime(Date.now() + 11_000);
    for (let times = 0; times < 2; times++) {
      await remembered.get("one", async () => "kept");
      await until(() => remembered.peek("one") === undefined, "it is believed");
    }
    look.mockRestore();
    held.resolve(undefined);
    await house.end();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "more than ten thousand events that came another way are not told one by one: whoever listens begins again",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const { database } = house.running.house;
    const alice = await house.person("alice");
    const [far, near] = [await alice.makeServer("Far"), await alice.makeServer("Near")];
    const written = (id: string, count: number) =>
      database.transaction(async (db) => {
        const stream = serverStream(id);
        const head = db.updateTable("streams").set((eb) => ({ seq: eb("seq", "+", count) }));
        const { seq } = await head.where("stream", "=", stream).returning("seq").executeTakeFirstOrThrow();
        const rows = Array.from({ length: count }, (_, i) => ({
          ...{
            stream,
            seq: seq - count + 1 + i,
            audience: "members",
            touches: "",
            ends: null,
            replaces: null,
          },
          frame: JSON.stringify({ type: "NEWS", server_id: id, seq: seq - count + 1 + i, data: {} }),
          created_at: Date.now(),
        }));
        await database.insertRows(db, "events", rows, false);
      });
    const ear = await alice.listen();
    await written(near.id, 100);
    await until(() => ear.heard("NEWS").length === 100, "it is not told");
    expect(ear.heard("NEWS").map(({ server_id }) => server_id)).toEqual(Array(100).fill(near.id));
    await written(far.id, 10_001);
    expect((await ear.closed).code).toBe(1012);
    expect(ear.heard("NEWS")).toHaveLength(100);
    await house.end();
  },
);
