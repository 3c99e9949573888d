// Sharding by stream needs no rewrite: every table has a shard key, and unique keys include it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { homes, looseKeys } from "./homes.ts";

interface Key {
  table: string;
  columns: string[];
}

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("tables (skipped where there is no PostgreSQL)", () => {
  let house: TestHouse;
  let columns: Key[];
  let keys: Key[];

  beforeAll(async () => {
    house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const db = house.running.house.database.read;
    columns = (
      await sql<Key>`select table_name as "table", array_agg(column_name::text) as columns
      from information_schema.columns where table_schema = current_schema() group by table_name`.execute(db)
    ).rows;
    keys = (
      await sql<Key>`select relname as "table", array_agg(attname::text order by attname) as columns
      from pg_index join pg_class on pg_class.oid = indrelid
        join pg_attribute on attrelid = indrelid and attnum = any(indkey)
      where indisunique and relnamespace = current_schema()::regnamespace group by relname, indexrelid`.execute(
        db,
      )
    ).rows;
  });
  afterAll(() => house?.end());

  test("each is spread by a column that it has, or is the same for all", () => {
    expect(columns.map(({ table }) => table).sort()).toEqual(Object.keys(homes).sort());
    const strayed = columns.filter(({ table, columns }) => {
      const home = homes[table];
      return home !== undefined && !columns.includes(home);
    });
    expect(strayed).toEqual([]);
  });

  test("their unique keys carry that column, but for those that are listed with the reason", () => {
    const loose = keys.filter(({ table, columns }) => {
      const home = homes[table];
      return home !== undefined && !columns.includes(home);
    });
    const named = loose.map(({ table, columns }) => `${table}: ${columns.join(", ")}`);
    expect(named.sort()).toEqual(Object.keys(looseKeys).sort());
  });
});
