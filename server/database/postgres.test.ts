// A PostgreSQL that cuts everybody off, again and again: the claim on it is taken anew, by one connection.
import { expect, test } from "bun:test";
import pg from "pg";
import { startPostgres } from "../../tests/house/postgres.ts";
import { openPostgres } from "./postgres.ts";

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("each cut is mended by one new connection", async () => {
  await using postgres = await startPostgres(false);
  const connectionString = postgres?.url ?? "";
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  const database = await openPostgres(connectionString, true);
  const others = "from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";
  const isClaimed = async () =>
    (await admin.query("select 1 from pg_locks where locktype = 'advisory'")).rowCount === 1;
  try {
    for (let cuts = 0; cuts < 2; cuts++) {
      await admin.query(`select pg_terminate_backend(pid, 5000) ${others}`);
      expect(await isClaimed()).toBe(false);
      while (!(await isClaimed())) await Bun.sleep(20);
    }
    expect((await admin.query(`select pid ${others}`)).rowCount).toBe(1);
  } finally {
    await database.close();
    await admin.end();
  }
});
