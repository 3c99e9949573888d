// PostgreSQL's timeouts for transactions: a change may neither idle nor wait for long, a snapshot may idle for long.
// Also how scarce connections are shared, and which versions of PostgreSQL are refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type pg from "pg";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { Db } from "./database.ts";
import { connectionsNeeded, fewestConnections, shortage, sizesWithin } from "./postgres-limits.ts";
import { needSuitable } from "./postgres-version.ts";
import { Replica } from "./replica.ts";

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

  test("of a replica: one that follows no other PostgreSQL is told of once, and serves nobody", async () => {
    const { read } = house.running.house.database;
    const replica = new Replica(house.settings.DATABASE_URL ?? "", read);
    const told: (string | undefined)[] = [];
    replica.start((reason) => void told.push(reason));
    await until(() => told.length > 0, "nobody is told");
    expect(told).toEqual(["it follows no other PostgreSQL"]);
    expect(replica.trouble).toContain("the primary serves alone");
    expect(await replica.read(async (db) => db === read)).toBe(true);
    expect(Math.abs(replica.now() - Date.now())).toBeLessThan(60_000);
    replica.close();
  });
});

test("of few connections each pool has its share, and all together no more than are granted", () => {
  const all = sizesWithin(connectionsNeeded);
  expect(Object.values(all).reduce((sum, size) => sum + size)).toBe(connectionsNeeded);
  expect(sizesWithin(1000)).toEqual(all);
  for (let granted = fewestConnections; granted < connectionsNeeded; granted++) {
    const sizes = Object.values(sizesWithin(granted));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(granted);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(1);
  }
  expect(shortage(connectionsNeeded)).toBeUndefined();
  expect(shortage(connectionsNeeded - 1)).toContain("under load requests wait for each other");
  expect(shortage(fewestConnections)).toContain("under load requests wait for each other");
  expect(shortage(fewestConnections - 1)).toContain("it cannot run with so few");
});

test("a PostgreSQL that is too old, or whose database cannot hold all letters, is none to run on", async () => {
  const saysOf = (version: string, encoding: string) => {
    const query = async (text: string) => ({ rows: [text.includes("version") ? { version } : { encoding }] });
    const client = { query, database: "talk", user: "ada" } as unknown as pg.Client;
    return needSuitable(client).catch((error) => error.message);
  };
  expect(await saysOf("14.0", "UTF8")).toBeUndefined();
  expect(await saysOf("17.6 (Debian 17.6-0)", "UTF8")).toBeUndefined();
  expect(await saysOf("13.22", "UTF8")).toContain("is PostgreSQL 13.22, and version 14 or newer is needed");
  expect(await saysOf("9.6.24", "UTF8")).toContain("is PostgreSQL 9.6.24");
  expect(await saysOf("17.6", "SQL_ASCII")).toContain("keeps texts as SQL_ASCII");
});
