// The folder of the database copy from which a backup is made. If the backup is encrypted the copy is not, so it stays
// where the database itself is stored.
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AlreadyRunning, CannotStart } from "../server/cannot-start.ts";
import type { Config } from "../server/config/config.ts";
import { claim } from "../server/database/sqlite.ts";
import { inFolder } from "./work-folder.ts";

const name = "backup-copy";

/** `beside`: the folder of the unfinished backup. */
export async function withCopyFolder<T>(
  { backupPassphraseFile, dataDir }: Config,
  beside: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (backupPassphraseFile === undefined) return work(beside);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lockFile = join(dataDir, `${name}.lock`);
  const lock = claimAlone(lockFile, dataDir);
  try {
    // While the lock is held, anything found belongs to a killed command.
    for (const each of await readdir(dataDir))
      if (each.startsWith(`${name}-`)) await rm(join(dataDir, each), { recursive: true, force: true });
    return await inFolder(join(dataDir, `${name}-`), work);
  } finally {
    await rm(lockFile, { force: true });
    lock.close();
  }
}

function claimAlone(file: string, dataDir: string) {
  try {
    return claim(file);
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    throw new CannotStart(`Another encrypted backup of ${dataDir} is being made: wait for its end.`);
  }
}
