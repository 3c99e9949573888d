// Rows that a taken key may turn away: several processes may insert the same keys at once.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import pg from "pg";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { newId } from "../tokens.ts";
import { insertSkippingTaken } from "./inserts.ts";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("taken keys (skipped where there is no PostgreSQL)", () => {
  let house: TestHouse;
  let other: pg.Client;

  beforeAll(async () => {
    house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    other = new pg.Client({ connectionString: house.settings.DATABASE_URL });
    await other.connect();
  });
  afterAll(async () => {
    await other?.end();
    await house?.end();
  });

  test("two commits with the same keys never wait for each other in a circle", async () => {
    const key = { author_id: newId(), channel_id: newId() };
    const row = (nonce: string) => ({
      message_id: newId(),
      ...key,
      nonce,
      body_hash: null,
      created_at: 0,
    });
    const take = (nonce: string) =>
      other.query("insert into message_nonces values ($1, $2, $3, $4, 0)", [
        key.author_id,
        key.channel_id,
        nonce,
        newId(),
      ]);
    const { database } = house.running.house;
    await other.query("begin");
    await take("first");
    const inserting = database.transaction(async (db) => {
      // Without a lock timeout, only a deadlock ends one of the two.
      await sql`set local lock_timeout = 0`.execute(db);
      return insertSkippingTaken(
        database,
        db,
        ["second", "third", "first"].map((nonce) => [
          { table: "message_nonces", row: row(nonce), ifTaken: "skip" },
        ]),
      );
    }, "once");
    const isWaiting = async () => {
      // Within a transaction, PostgreSQL would keep showing the activity of the first query.
      await other.query("select pg_stat_clear_snapshot()");
      const waiting = await other.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and pg_backend_pid() = any(pg_blocking_pids(pid))",
      );
      return waiting.rowCount !== 0;
    };
    await until(isWaiting, "nothing waits for the first key");
    // Were one of these taken already, this would be a deadlock.
    await take("second");
    await take("third");
    await other.query("commit");
    expect([...(await inserting)].sort()).toEqual([0, 1, 2]);
  });
});
