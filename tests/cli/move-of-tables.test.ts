// `hearth migrate` copies all rows of every table that both engines have.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { countRows, type End } from "../../cli/moving/end.ts";
import { postgresEnd } from "../../cli/moving/postgres.ts";
import { sqliteEnd } from "../../cli/moving/sqlite.ts";
import { makeHouse } from "../house/open/engines.ts";
import { expectDone, hearth } from "./hearth.ts";

/** Number of rows by table, except for tables that a move itself writes. */
async function rowsIn(end: End): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await end.tables())
    if (!/^(kysely_|moving_|instance$)/.test(table.name)) counts[table.name] = await countRows(end.db, table);
  await end.close();
  return counts;
}

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a move (skipped where there is no PostgreSQL)", () => {
  test("leaves no table behind", async () => {
    const [embedded, postgres] = [await makeHouse("SQLite", {}), await makeHouse("PostgreSQL", {})];
    try {
      await embedded.open();
      const alice = await embedded.person("alice");
      const home = await alice.makeServer();
      await alice.say(home.general.id, "said once", { nonce: "once" });
      await embedded.shut();
      const { DATA_DIR = "" } = embedded.settings;
      const { DATABASE_URL = "" } = postgres.settings;
      const settings = { ...embedded.settings, PATH: Bun.env.PATH ?? "" };
      expectDone(await hearth(`migrate --to ${DATABASE_URL}`, settings), "It is in PostgreSQL");
      const there = await rowsIn(sqliteEnd(join(DATA_DIR, "hearth.db"), "source"));
      expect(there).toMatchObject({ messages: 1, message_nonces: 1 });
      expect(await rowsIn(await postgresEnd(DATABASE_URL, "source"))).toMatchObject(there);
    } finally {
      await embedded.end();
      await postgres.end();
    }
  });
});
