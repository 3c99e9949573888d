// Reads files in large pieces, and writes them completely and durably.
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

export function readPieces(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}

/** Writes all bytes: a single call may write only a part of them. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written);
    written += bytesWritten;
  }
}

/** Syncs a folder, whose content is its names: without that a power cut could lose a new one. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync();
  await folder.close();
}
