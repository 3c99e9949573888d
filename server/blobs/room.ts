// Free disk space: uploads are accepted only while a reserve stays free for everything else.
import { statfs } from "node:fs/promises";

/** Bytes that stay free for the database, its log, and the system. */
const reserveBytes = 512 * 1024 * 1024;

/** True if the reserve stays free after this many more bytes in the folder. */
export async function hasRoom(folder: string, bytes: number, reserve = reserveBytes): Promise<boolean> {
  return (await freeBytes(folder)) - bytes >= reserve;
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
