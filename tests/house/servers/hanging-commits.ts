// Makes the commits of a private PostgreSQL hang, while reads go on.
import pg from "pg";
import { until } from "../machine/waiting.ts";

/** `admin`: a superuser's connection to the database at `url`. Once commits hang, resolves to what releases them. */
export async function hangCommits(admin: pg.Client, url: string): Promise<() => Promise<void>> {
  await replicateTo(admin, "nobody");
  const probe = await untilCommitsWait(admin, url);
  return async () => {
    await replicateTo(admin, "");
    await probe.end();
  };
}

/** Makes commits wait for this standby. */
async function replicateTo(admin: pg.Client, standby: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${standby}'`);
  await admin.query("select pg_reload_conf()");
}

/** The checkpointer applies the setting after connections already show it: only a commit proves that it is in force. */
async function untilCommitsWait(admin: pg.Client, url: string): Promise<pg.Client> {
  const probe = new pg.Client({ connectionString: url, application_name: "probe" });
  await probe.connect();
  let isAnswered = true;
  const end = () => {
    isAnswered = true;
  };
  await until(async () => {
    if (isAnswered) {
      isAnswered = false;
      probe.query("select pg_logical_emit_message(true, 'probe', '')").then(end, end);
    }
    const { rowCount } = await admin.query(
      "select 1 from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'probe'",
    );
    return rowCount !== 0;
  }, "no commit hangs");
  return probe;
}
