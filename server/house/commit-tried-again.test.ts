// A shared commit that PostgreSQL aborts, and that is retried: each caller gets the actual outcome of their operation.

import { expect, spyOn, test } from "bun:test";
import { sql } from "kysely";
import { z } from "zod";
import { event, kind } from "../../protocol/event.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { serverPlace } from "../place.ts";
import { newId } from "../tokens.ts";

const said = event(kind<{ id: string }>("SAID"), {
  summary: "Something was said",
  data: z.object({ id: z.string() }),
  happensIn: "server",
  risingId: ({ id }) => id,
});

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "an operation that failed in the attempt that was broken off, and not in the next, has not failed",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const running = house.running.house;
    const { database } = running;
    const { id: server } = await (await house.person("alice")).makeServer();
    const early = newId();
    await running.share(async (unit) => unit.emit(said, serverPlace(server), { id: newId() }));

    // Its first id is overtaken, so it runs again inside the transaction: once per attempt.
    let runs = 0;
    const transaction = database.transaction.bind(database);
    const broken = spyOn(database, "transaction").mockImplementation((work) =>
      transaction(async (db) => {
        const result = await work(db);
        if (runs === 2) await sql`do $$ begin raise exception using errcode = '40P01'; end $$`.execute(db);
        return result;
      }),
    );
    const answer = running.share(async (unit) => {
      runs++;
      if (runs === 2) throw new Error("not this time");
      unit.emit(said, serverPlace(server), { id: runs === 1 ? early : newId() });
      return "said";
    });
    expect(await answer).toBe("said");
    broken.mockRestore();
    expect(runs).toBe(3);
    await house.end();
  },
);
