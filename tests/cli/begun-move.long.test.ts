// A move that was killed before the target had any tables: no server starts on it, and the same command continues.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { beginArrival } from "../../cli/moving/arrival.ts";
import { beginJournal } from "../../cli/moving/journal.ts";
import { postgresEnd } from "../../cli/moving/postgres.ts";
import { sqliteEnd } from "../../cli/moving/sqlite.ts";
import { makeHouse } from "../house/open/engines.ts";
import { examine, expectDone, expectRefused, hearth } from "./hearth.ts";

const { PATH = "" } = Bun.env;

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "a move that was killed at its very begin lets nobody start on the empty target, and goes on",
  async () => {
    const [embedded, postgres] = [await makeHouse("SQLite", {}), await makeHouse("PostgreSQL", {})];
    try {
      await embedded.open();
      await embedded.person("alice");
      await embedded.shut();
      const url = postgres.settings.DATABASE_URL ?? "";
      const source = sqliteEnd(join(embedded.settings.DATA_DIR ?? "", "hearth.db"), "source");
      const target = await postgresEnd(url, "target");
      const tables = (await source.tables()).filter(({ name }) => !name.startsWith("kysely_"));
      await beginArrival(target, await beginJournal(source, tables));
      await target.close();
      await source.close();

      const there = { PATH, ...postgres.settings };
      expectRefused(await hearth("serve", there), "has not come to its end");
      expectRefused(
        await hearth(`backup ${postgres.settings.DATA_DIR}/a.tar`, there),
        "has not come to its end",
      );
      expect((await examine(there)).findings.move).toMatch(/^wrong: .*has not come to its end/);
      const settings = { PATH, ...embedded.settings };
      expectDone(await hearth(`migrate --to ${url}`, settings), /users: 1 rows, .* the same at both ends/);
    } finally {
      await embedded.end();
      await postgres.end();
    }
  },
);
