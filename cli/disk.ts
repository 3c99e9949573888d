// Reads files in large pieces, and writes them so that they are complete and outlive a power cut.
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

export function readPieces(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}

/** A call may write only a part of the bytes, so it is repeated. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written);
    written += bytesWritten;
  }
}

/** The names in a folder are its content: without this sync a power cut could lose a new one. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync();
  await folder.close();
}
