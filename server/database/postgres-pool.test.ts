// The limits that PostgreSQL keeps for a transaction: a change may not stand idle or wait, a snapshot may stand idle for long.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { makeHouse, type TestHouse } from "../../tests/house/engines.ts";
import type { Db } from "./database.ts";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("limits (skipped where there is no PostgreSQL)", () => {
  let house: TestHouse;

  beforeAll(async () => {
    house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
  });
  afterAll(() => house?.end());

  async function limitsIn(db: Db): Promise<Record<string, string>> {
    const { rows } = await sql<{ name: string; setting: string }>`select name, setting from pg_settings
      where name in ('idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout')`.execute(db);
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  }

  test("of a change and of a snapshot", async () => {
    const { database } = house.running.house;
    expect(await database.transaction(limitsIn)).toEqual({
      idle_in_transaction_session_timeout: "4000",
      lock_timeout: "1000",
      statement_timeout: "14000",
    });
    expect(await database.snapshot(limitsIn)).toEqual({
      idle_in_transaction_session_timeout: "60000",
      lock_timeout: "0",
      statement_timeout: "14000",
    });
  });
});
