// Checks the automatic backups: whether the newest is recent enough.
import { stat } from "node:fs/promises";
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, type Running, reason, type State } from "../../server/house/check.ts";
import { passphraseIn } from "../../server/passphrase.ts";
import { keptIn, mustTake } from "./folder.ts";

const hourMs = 3600_000;
/** How long a backup may be overdue: a large database takes its time, and a failure is tried again after an hour. */
const lateMs = 3 * hourMs;

export async function checkBackups(config: Config, running?: Running): Promise<Finding> {
  const about = "backups";
  const { backups } = config;
  if (!backups) return finding(about, "off", "Not set up (BACKUP_DIR).");
  const { folder, everyMs } = backups;
  try {
    await mustTake(folder);
    // Without the passphrase each backup fails.
    if (config.backupPassphraseFile !== undefined) await passphraseIn(config.backupPassphraseFile);
    // Without a running server its epoch is not known: the backups of every Hearth count.
    const kept = await keptIn(folder, running?.epoch);
    const [newest] = kept;
    if (!newest) return finding(about, await stateOfNone(folder, running), `There is none in ${folder} yet.`);
    const age = Date.now() - newest.at;
    const hours = Math.floor(age / hourMs);
    if (age > everyMs + lateMs)
      return finding(about, "wrong", `The newest in ${folder} is ${hours} hours old: the log says why.`);
    const ones = kept.length === 1 ? "One is" : `${kept.length} are`;
    return finding(about, "ok", `${ones} in ${folder}, and the newest is ${hours} hours old.`);
  } catch (error) {
    return finding(about, "wrong", `${reason(error)}.`);
  }
}

/** Having no backup is wrong in a folder older than `lateMs`: a running Hearth makes the first one within a minute. */
async function stateOfNone(folder: string, running: Running | undefined): Promise<State> {
  const { birthtimeMs } = await stat(folder);
  return running && Date.now() - birthtimeMs > lateMs ? "wrong" : "note";
}
