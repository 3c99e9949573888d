// The folder of the backups that Hearth makes by itself: by their names it is known whose they are, and how old.
import { createHash } from "node:crypto";
import { access, constants, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { reason } from "../../server/house/check.ts";

interface KeptBackup {
  name: string;
  /** When it was begun, in milliseconds since 1970. */
  at: number;
}

/** A backup has its name only once it is whole; `.part-…` follows on the folder of one that is being made. */
const ours = /^hearth-([0-9a-f]{8})-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar(?:\.age)?(\.part-\w+)?$/;
const tagLength = 8;

/** Backups cannot be kept in the folder. */
export class NoFolder extends Error {}

/** Throws NoFolder. A folder that is not there is not made: it may be a disk that is not mounted. */
export async function mustTake(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error("it is no folder");
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new NoFolder(`Backups cannot be kept in ${folder} (BACKUP_DIR): ${reason(error)}`);
  }
}

/** Two Hearths may keep their backups in one folder. A restored one is another, as its log has a new epoch. */
function tagOf(epoch: string): string {
  return createHash("sha256").update(epoch).digest("hex").slice(0, tagLength);
}

/** Colons do not belong into the name of a file. */
export function nameAt(epoch: string, at: number, isEncrypted: boolean): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(":", "-");
  return `hearth-${tagOf(epoch)}-${time}Z.tar${isEncrypted ? ".age" : ""}`;
}

/**
 * Returns the whole backups of the Hearth of this epoch, or of any without one, the newest first. A name from the future
 * was given by a wrong clock: it says nothing of any age, and stays for the operator.
 */
export async function keptIn(folder: string, epoch: string | undefined): Promise<KeptBackup[]> {
  const found = await ourNames(folder, epoch);
  return found
    .filter(({ isPart, at }) => !isPart && at <= Date.now())
    .sort((one, other) => other.at - one.at);
}

/** Deletes what is beyond the newest `keep`. */
export async function rotate(folder: string, epoch: string, keep: number): Promise<void> {
  const kept = await keptIn(folder, epoch);
  for (const { name } of kept.slice(Math.max(1, keep))) await rm(join(folder, name), { force: true });
}

/** Deletes what killed processes left unfinished: called while none is at work. */
export async function removeParts(folder: string, epoch: string): Promise<void> {
  const parts = (await ourNames(folder, epoch)).filter(({ isPart }) => isPart);
  for (const { name } of parts) await rm(join(folder, name), { recursive: true, force: true });
}

async function ourNames(
  folder: string,
  epoch: string | undefined,
): Promise<(KeptBackup & { isPart: boolean })[]> {
  const own = epoch === undefined ? undefined : tagOf(epoch);
  return (await readdir(folder)).flatMap((name) => {
    const [, tag, day, hour, minute, second, part] = ours.exec(name) ?? [];
    const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
    if (Number.isNaN(at) || (own !== undefined && tag !== own)) return [];
    return [{ name, at, isPart: part !== undefined }];
  });
}
