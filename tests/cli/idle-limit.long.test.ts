// A PostgreSQL that ends idle transactions: those of a backup and of a move are idle while something else is read.
import { expect, test } from "bun:test";
import pg from "pg";
import { reading } from "../../cli/copies/scratch.ts";
import { postgresEnd } from "../../cli/moving/postgres.ts";
import type { Db } from "../../server/database/database.ts";
import { decideOnce, kept } from "../../server/database/instance.ts";
import { makeHouse } from "../house/open/engines.ts";

const longerS = 1;

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "a limit on idle transactions ends neither a backup nor a move",
  async () => {
    const house = await makeHouse("PostgreSQL", {});
    await house.open();
    await house.shut();
    const { DATABASE_URL = "" } = house.settings;
    const url = new URL(DATABASE_URL);
    url.searchParams.set("options", "-c idle_in_transaction_session_timeout=400ms -c statement_timeout=5s");
    const other = new pg.Client({ connectionString: DATABASE_URL });
    await other.connect();
    async function standIdle(db: Db): Promise<string> {
      await kept(db, "epoch");
      await other.query("select pg_sleep($1)", [longerS]);
      return (await kept(db, "epoch")) ?? "";
    }
    const end = await postgresEnd(url.href, "source");
    try {
      expect(await reading(url.href, standIdle)).not.toBe("");
      expect(await end.snapshot(standIdle)).not.toBe("");
      await end.transaction(async (db) => {
        await standIdle(db);
        await decideOnce(db, "after", "it");
      });
      expect(await kept(end.db, "after")).toBe("it");
    } finally {
      await end.close();
      await other.end();
      await house.end();
    }
  },
);
