// Stops a process in the middle of a commit: PostgreSQL holds row locks for it, and other processes wait for them.
import pg from "pg";
import { chanceFor } from "../house/machine/chance.ts";
import { until } from "../house/machine/waiting.ts";

const tries = 500;
const chance = chanceFor("catching");

/**
 * Stops a process, or its connection, again and again until `isCaught` finds it in the middle of a commit. `goOn`
 * resolves when it may be stopped again.
 */
export async function catchCommit(
  isCaught: () => Promise<boolean>,
  stop: () => void,
  goOn: () => void | Promise<void>,
): Promise<void> {
  for (let left = tries; left > 0; left--) {
    stop();
    // PostgreSQL runs the statements already sent, and other processes reach the locks.
    await Bun.sleep(60);
    if (await isCaught()) return;
    await goOn();
    await Bun.sleep(5 + chance() * 20);
  }
  throw new Error("no commit was under way");
}

/** True if others wait for locks of a process, whose connections have this application_name. */
export async function isWaitedFor(url: string, name: string): Promise<boolean> {
  const waiting = await rowsOf(
    url,
    `from pg_stat_activity as held, pg_stat_activity as waiting
      where held.application_name = $1 and held.state = 'idle in transaction'
        and waiting.wait_event_type = 'Lock' and held.pid = any(pg_blocking_pids(waiting.pid))`,
    name,
  );
  return waiting.length > 0;
}

/** Resolves when a process queries PostgreSQL again: lost packets are retransmitted at growing intervals. */
export async function untilAtWork(url: string, name: string): Promise<void> {
  const [{ now }] = await rowsOf(url, "clock_timestamp()::text as now");
  const asked = "from pg_stat_activity where application_name = $1 and query_start > $2::timestamptz";
  await until(async () => (await rowsOf(url, asked, name, now)).length > 0, `${name} asks nothing`);
}

async function rowsOf(url: string, selected: string, ...values: unknown[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(`select ${selected}`, values)).rows;
  } finally {
    await client.end();
  }
}
