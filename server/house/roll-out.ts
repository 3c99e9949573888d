// The roll-out of the release in which servers got more audiences than one for all members and one for all viewers: a
// process of the release before, still running beside new ones, sends nothing to the new ones.
import type { Db } from "../database/database.ts";
import { isDecided, keep, kept } from "../database/instance.ts";

const key = "audiences since";

/** How long processes of the release before may run beside new ones, in milliseconds. */
const rollOutMs = 3600_000;

/** Records in a migration that processes of the release before may be running. A new database has none. */
export async function noteRollOut(db: Db): Promise<void> {
  if (await isDecided(db, "epoch")) await keep(db, key, String(Date.now()));
}

/** Returns by when every process sends to all audiences, in milliseconds since 1970; 0 if all always did. */
export async function rolledOutBy(db: Db): Promise<number> {
  const since = await kept(db, key);
  return since === undefined ? 0 : Number(since) + rollOutMs;
}
