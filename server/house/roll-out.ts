// The roll-out of the release in which single channels got audiences: a process of the release before, still running
// beside new ones, sends nothing to these audiences. So what a socket heard until then may have gaps.
import type { Db } from "../database/database.ts";
import { isDecided, keep, kept } from "../database/instance.ts";

const key = "audiences of channels since";

/** How long processes of the release before may run beside new ones, in milliseconds. */
const rollOutMs = 3600_000;

/** Records in a migration that processes of the release before may be running. A new database has none. */
export async function noteRollOut(db: Db): Promise<void> {
  if (await isDecided(db, "epoch")) await keep(db, key, String(Date.now()));
}

/** Returns by when all processes send to these audiences, in milliseconds since 1970; 0 if they always did. */
export async function rolledOutBy(db: Db): Promise<number> {
  const since = await kept(db, key);
  return since === undefined ? 0 : Number(since) + rollOutMs;
}
