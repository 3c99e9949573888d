// The folder of automatic backups, whose names tell which Hearth made them, and when.
import { createHash } from "node:crypto";
import { access, constants, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { reason } from "../../server/house/check.ts";

interface KeptBackup {
  name: string;
  /** When the backup was begun, in milliseconds since 1970. */
  at: number;
}

/** The name of a whole backup; a folder with `.part-…` behind the name is an unfinished one. */
const ours = /^hearth-([0-9a-f]{8})-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar(?:\.age)?(\.part-\w+)?$/;
const tagLength = 8;

/** Thrown when backups cannot be kept in the folder. */
export class NoFolder extends Error {}

/** Throws NoFolder. A missing folder is not created: it may be a disk that is not mounted. */
export async function mustTake(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error("it is no folder");
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new NoFolder(`Backups cannot be kept in ${folder} (BACKUP_DIR): ${reason(error)}`);
  }
}

/**
 * Identifies a Hearth: several may keep their backups in one folder. A restored one counts as another, as its log has a
 * new epoch.
 */
function tagOf(epoch: string): string {
  return createHash("sha256").update(epoch).digest("hex").slice(0, tagLength);
}

/** Returns the name of a backup, without colons, which file names cannot have everywhere. */
export function nameAt(epoch: string, at: number, isEncrypted: boolean): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(":", "-");
  return `hearth-${tagOf(epoch)}-${time}Z.tar${isEncrypted ? ".age" : ""}`;
}

/**
 * Returns the whole backups of the Hearth with this epoch, or of all without one, the newest first. Backups dated in
 * the future are left out: their age is unknown because a clock was wrong, and they stay for the operator.
 */
export async function keptIn(folder: string, epoch: string | undefined): Promise<KeptBackup[]> {
  const found = await ourNames(folder, epoch);
  return found
    .filter(({ isPart, at }) => !isPart && at <= Date.now())
    .sort((one, other) => other.at - one.at);
}

/** Deletes all but the newest `keep` backups. */
export async function rotate(folder: string, epoch: string, keep: number): Promise<void> {
  const kept = await keptIn(folder, epoch);
  for (const { name } of kept.slice(Math.max(1, keep))) await rm(join(folder, name), { force: true });
}

/** Deletes the unfinished backups of killed processes: called while none is running. */
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
