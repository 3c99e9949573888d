// Commits of a private PostgreSQL that hang while it goes on reading.
import pg from "pg";
import { until } from "../machine/waiting.ts";

/** `admin` is a superuser's connection to the database at `url`. Resolves once commits do hang, to what lets them go on. */
export async function hangCommits(admin: pg.Client, url: string): Promise<() => Promise<void>> {
  await replicateTo(admin, "nobody");
  const probe = await untilCommitsWait(admin, url);
  return async () => {
    await replicateTo(admin, "");
    await probe.end();
  };
}

/** Commits wait until this standby has them. */
async function replicateTo(admin: pg.Client, standby: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${standby}'`);
  await admin.query("select pg_reload_conf()");
}

/** The checkpointer puts the setting in force, later than a connection shows it: only a commit tells. */
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
