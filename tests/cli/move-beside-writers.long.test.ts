// A move out of PostgreSQL begins while people write, in transactions that lock the tables in another order.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import pg from "pg";
import { whileHeld } from "../../cli/moving/hold.ts";
import { postgresEnd } from "../../cli/moving/postgres.ts";
import { CannotStart } from "../../server/cannot-start.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { expectDone, hearth } from "./hearth.ts";

const patienceMs = 400_000;

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a writer (skipped where there is no PostgreSQL)", () => {
  let house: TestHouse;
  let empty: TestHouse;
  let writer: pg.Client;
  let admin: pg.Client;

  beforeEach(async () => {
    [house, empty] = [await makeHouse("PostgreSQL", {}), await makeHouse("SQLite", {})];
    await house.open();
    await house.person("alice");
    await house.shut();
    [writer, admin] = [0, 1].map(() => new pg.Client({ connectionString: house.settings.DATABASE_URL })) as [
      pg.Client,
      pg.Client,
    ];
    for (const client of [writer, admin]) await client.connect();
  });
  afterEach(async () => {
    for (const client of [writer, admin]) await client.end();
    for (const each of [house, empty]) await each.end();
  });

  /** True if another connection waits for a lock in this database. */
  async function isWaitedFor(): Promise<boolean> {
    const { rowCount } = await admin.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    return rowCount !== 0;
  }

  test(
    "that has locked a late table, and goes on to an early one, stops no move",
    async () => {
      await writer.query("begin");
      await writer.query("lock table users in row exclusive mode");
      const settings = {
        PATH: Bun.env.PATH ?? "",
        DATABASE_URL: house.settings.DATABASE_URL ?? "",
        DATA_DIR: empty.settings.DATA_DIR ?? "",
      };
      const moving = hearth("migrate --to sqlite", settings);
      await until(isWaitedFor, "the move does not wait");
      await writer.query("lock table channels in row exclusive mode");
      await writer.query("commit");
      expectDone(await moving, /users: 1 rows, .* the same at both ends/);
    },
    patienceMs,
  );

  test("that does not come to its end is told of in a sentence, and nothing has changed", async () => {
    const end = await postgresEnd(house.settings.DATABASE_URL ?? "", "source");
    try {
      await writer.query("begin");
      await writer.query("lock table users in row exclusive mode");
      let times = 0;
      const holding = whileHeld(
        end,
        await end.tables(),
        { away: "writers", tries: 2 },
        async () => void times++,
      );
      const error = await holding.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CannotStart);
      expect((error as CannotStart).message).toMatch(/could not be locked.*Nothing was changed/);
      await writer.query("rollback");
      await whileHeld(end, await end.tables(), { away: "writers" }, async () => void times++);
      expect(times).toBe(1);
    } finally {
      await end.close();
    }
  });
});
