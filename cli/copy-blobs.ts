// Copies uploads from one place to another and reads each back; a file that is there with the same bytes is skipped.
import { createHash } from "node:crypto";
import { isFilename } from "../features/files/naming.ts";
import { type Blobs, type KeptBlobs, piecesOf, type StoredBlob, WrongBytes } from "../server/blobs/blobs.ts";

export interface Copied {
  copied: number;
  /** Bytes of the copied uploads. */
  bytes: number;
  /** Uploads that were there already. */
  wereThere: number;
  /** Names of uploads whose bytes are wrong, at the source or after the copy. */
  damaged: string[];
}

/** Concurrent copies: a remote store has latency, and so few do not hold up a disk. */
const atOnce = 4;

/**
 * Copies all uploads and updates `counts`; names that Hearth does not give are skipped. Returns those that were removed
 * from the source meanwhile.
 */
export async function copyBlobs(from: KeptBlobs, to: Blobs, counts: Copied): Promise<string[]> {
  const blobs = from.all();
  const seen = new Set<string>();
  let hasFailed = false;
  async function copyOn(): Promise<void> {
    for await (const { name } of { [Symbol.asyncIterator]: () => ({ next: () => blobs.next() }) }) {
      if (hasFailed) return;
      if (!isFilename(name)) continue;
      seen.add(name);
      await copyBlob(name, from, to, counts);
    }
  }
  const copying = Array.from({ length: atOnce }, () =>
    copyOn().catch((error) => {
      hasFailed = true;
      throw error;
    }),
  );
  for (const each of await Promise.allSettled(copying)) if (each.status === "rejected") throw each.reason;
  for await (const { name } of from.all()) seen.delete(name);
  return [...seen];
}

async function copyBlob(name: string, from: KeptBlobs, to: Blobs, counts: Copied): Promise<void> {
  const source = await from.find(name);
  // Removed meanwhile.
  if (!source) return;
  try {
    await copyFound(name, source, { to, counts });
  } catch (error) {
    // Ignored if the upload was removed while it was read.
    if (await from.find(name)) throw error;
  }
}

interface Copying {
  to: Blobs;
  counts: Copied;
}

async function copyFound(name: string, source: StoredBlob, { to, counts }: Copying): Promise<void> {
  const there = await to.find(name);
  const sum = await sumOf(source);
  // An object written by a Hearth is marked as its own. Written again here it has no owner, so that any Hearth whose
  // database names it may remove it.
  if (there?.size === source.size && there.owner === undefined && (await sumOf(there)) === sum) {
    counts.wereThere++;
    return;
  }
  if ((await write(source, name, to)) !== sum || (await sumReadFrom(to, name)) !== sum) {
    counts.damaged.push(name);
    return;
  }
  counts.copied++;
  counts.bytes += source.size;
}

/** Returns the checksum of the written bytes; discards them when the source has recorded another. */
async function write(source: StoredBlob, name: string, to: Blobs): Promise<string> {
  const draft = await to.draft();
  const sum = createHash("sha256");
  try {
    for await (const bytes of piecesOf(source.bytes())) {
      sum.update(bytes);
      await draft.write(bytes);
    }
    const written = sum.digest("hex");
    if (written === (source.sha256 ?? written)) await draft.keep(name);
    return written;
  } finally {
    await draft.discard();
  }
}

async function sumReadFrom(blobs: KeptBlobs, name: string): Promise<string | undefined> {
  const blob = await blobs.find(name);
  return blob ? sumOfBytes(blob).catch(none) : undefined;
}

/** Ignores WrongBytes, so that corrupted bytes have no checksum to compare. */
function none(error: unknown): undefined {
  if (!(error instanceof WrongBytes)) throw error;
}

/** Returns the SHA-256 in hex: the one recorded by the store, else that of the bytes. */
async function sumOf(blob: StoredBlob): Promise<string> {
  return blob.sha256 ?? sumOfBytes(blob);
}

async function sumOfBytes(blob: StoredBlob): Promise<string> {
  const sum = createHash("sha256");
  for await (const bytes of piecesOf(blob.bytes())) sum.update(bytes);
  return sum.digest("hex");
}
