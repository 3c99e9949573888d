// Reads a backup from its first byte to its last; its content is valid only if the checksums at the end match.
import { createHash } from "node:crypto";
import { isFilename } from "../../features/files/naming.ts";
import {
  type BackupHead,
  headName,
  letGoName,
  readHead,
  readLetGo,
  sumsName,
  TooNew,
  uploadsFolder,
} from "./head.ts";
import { DamagedArchive, type TarEntry, tarEntries } from "./tar.ts";

interface Receiver {
  /** Returns the name of the database file in the backup. If it throws, reading stops. */
  begins(head: BackupHead): Promise<string>;
  database(bytes: AsyncIterable<Uint8Array>): Promise<void>;
  upload(filename: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

export interface ReadBackup {
  head: BackupHead;
  /** Sizes of the uploads in the backup, by filename. */
  uploads: Map<string, number>;
  /** Uploads removed while the backup was made. It may have only a part of them. */
  letGo: string[];
}

/** Passes every piece to the receiver as it arrives. Throws DamagedArchive when the file is not a whole backup. */
export async function readBackup(source: AsyncIterable<Uint8Array>, receiver: Receiver): Promise<ReadBackup> {
  const sums = new Map<string, string>();
  const uploads = new Map<string, number>();
  let letGo: string[] = [];
  let head: BackupHead | undefined;
  let databaseName = "";
  let listed: string | undefined;
  let tooNew: TooNew | undefined;
  for await (const entry of tarEntries(source)) {
    const { name, size, bytes } = entry;
    if (listed !== undefined || sums.has(name)) throw new DamagedArchive(`${name} does not belong in it`);
    if (name === sumsName) {
      listed = await textOf(entry);
      continue;
    }
    const summed = summing(name, bytes, sums);
    const filename = name.startsWith(uploadsFolder) ? name.slice(uploadsFolder.length) : "";
    if (tooNew) await passOver(summed);
    else if (head === undefined) {
      try {
        head = await headFrom({ name, size, bytes: summed });
        databaseName = await receiver.begins(head);
      } catch (error) {
        if (!(error instanceof TooNew)) throw error;
        tooNew = error;
      }
    } else if (name === databaseName) await receiver.database(summed);
    else if (isFilename(filename)) {
      await receiver.upload(filename, summed);
      uploads.set(filename, size);
    } else if (name === letGoName) letGo = await letGoFrom({ name, size, bytes: summed });
    else throw new DamagedArchive(`${name} does not belong in it`);
  }
  if (!(head || tooNew) || listed === undefined) throw new DamagedArchive("a part of it is missing");
  compare(listed, sums);
  // A head that seems to come from a newer Hearth may be damaged: only the checksums tell.
  if (!head || tooNew) throw tooNew;
  if (!sums.has(databaseName)) throw new DamagedArchive("it has no database");
  for (const filename of letGo) uploads.delete(filename);
  return { head, uploads, letGo };
}

async function passOver(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

async function headFrom(entry: TarEntry): Promise<BackupHead> {
  const head = entry.name === headName ? readHead(await textOf(entry)) : undefined;
  if (!head) throw new DamagedArchive("it is no backup of Hearth");
  return head;
}

async function letGoFrom(entry: TarEntry): Promise<string[]> {
  const names = readLetGo(await textOf(entry));
  if (!names) throw new DamagedArchive(`${entry.name} in it is not as it was written`);
  return names;
}

async function* summing(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  sums: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const sum = createHash("sha256");
  for await (const part of bytes) {
    sum.update(part);
    yield part;
  }
  sums.set(name, sum.digest("hex"));
}

function compare(listed: string, sums: ReadonlyMap<string, string>): void {
  const lines = listed.split("\n").slice(0, -1);
  for (const line of lines) {
    const [sum, name = ""] = line.split("  ");
    if (sums.get(name) !== sum)
      throw new DamagedArchive(`${name || "a file in it"} is not as it was written`);
  }
  if (lines.length !== sums.size) throw new DamagedArchive("its list of checksums is not as it was written");
}

async function textOf({ bytes }: TarEntry): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}
