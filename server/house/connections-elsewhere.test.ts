// News of who is connected elsewhere, while the database does not say who that is.
import { expect, spyOn, test } from "bun:test";
import { makeHouse } from "../../tests/house/engines.ts";
import { Queue } from "../queue.ts";
import { newId } from "../tokens.ts";

const news = 1000;

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "however much is heard while it is away, one read waits",
  async () => {
    const house = await makeHouse("PostgreSQL", {});
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
    const runs = spyOn(Queue.prototype, "run");
    for (let i = 0; i < news; i++) bus.take([{ kind: "sockets", by: "another", userIds: [newId()] }]);
    expect(runs.mock.calls.length).toBeLessThanOrEqual(2);
    runs.mockRestore();
    away.mockRestore();
    Object.defineProperty(database, "read", { configurable: true, value: read });
    await house.end();
  },
);
