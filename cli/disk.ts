// Reading from the disk in large pieces; writing to it so that nothing is left out, and is there after a power cut.
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

export function readPieces(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}

/** The system may take a part of it at a time. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written);
    written += bytesWritten;
  }
}

/** The names in a folder are its content: without this a power cut could forget a new one. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync();
  await folder.close();
}
