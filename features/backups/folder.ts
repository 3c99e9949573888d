// The folder of the backups that Hearth makes by itself: by their names it is known which are its own, and how old they are.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export interface KeptBackup {
  name: string;
  /** When it was begun, in milliseconds since 1970. */
  at: number;
}

/** A backup has its name only once it is whole; `.part-…` follows on the folder of one that is being made. */
const ours = /^hearth-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar(?:\.age)?(\.part-\w+)?$/;

/** Colons do not belong into the name of a file. */
export function nameAt(at: number, isEncrypted: boolean): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(":", "-");
  return `hearth-${time}Z.tar${isEncrypted ? ".age" : ""}`;
}

/**
 * Returns the whole backups, the newest first; whatever else lies there is not Hearth's. A name from the future was given
 * by a wrong clock: it says nothing of any age, and stays for the operator.
 */
export async function keptIn(folder: string): Promise<KeptBackup[]> {
  const found = await ourNames(folder);
  return found
    .filter(({ isPart, at }) => !isPart && at <= Date.now())
    .sort((one, other) => other.at - one.at);
}

/** Deletes what is beyond the newest `keep`, and what a killed process left unfinished before the newest. */
export async function rotate(folder: string, keep: number): Promise<void> {
  const kept = await keptIn(folder);
  const newest = kept[0]?.at ?? 0;
  const left = (await ourNames(folder)).filter(({ isPart, at }) => isPart && at < newest);
  for (const { name } of [...kept.slice(Math.max(1, keep)), ...left])
    await rm(join(folder, name), { recursive: true, force: true });
}

async function ourNames(folder: string): Promise<(KeptBackup & { isPart: boolean })[]> {
  return (await readdir(folder)).flatMap((name) => {
    const [, day, hour, minute, second, part] = ours.exec(name) ?? [];
    const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
    return Number.isNaN(at) ? [] : [{ name, at, isPart: part !== undefined }];
  });
}
