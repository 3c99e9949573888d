// Blobs in a folder: drafts in `tmp` beside them, moved into place when they are whole and on the disk for good.
import { randomBytes } from "node:crypto";
import { openAsBlob } from "node:fs";
import { type FileHandle, lstat, mkdir, open, opendir, readdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import type { Blobs, Draft, KeptBlob, StoredBlob } from "./blobs.ts";

/** What stays free for the database, its log, and the system. */
const reserveBytes = 512 * 1024 * 1024;

/** Makes the folder when it is missing. Drafts in it are what a crash left behind: nobody waits for them any more. */
export async function openDisk(folder: string, reserve = reserveBytes): Promise<Blobs> {
  const drafts = join(folder, "tmp");
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  for (const name of await readdir(drafts)) await rm(join(drafts, name), { recursive: true, force: true });
  return {
    async draft() {
      const path = join(drafts, randomBytes(16).toString("hex"));
      return new DiskDraft(folder, path, await orFull(open(path, "wx", 0o600)));
    },
    find: (name) => find(join(folder, name)),
    all: () => all(folder),
    async remove(name) {
      await rm(join(folder, name), { force: true });
    },
    async hasRoomFor(bytes) {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize - bytes >= reserve;
    },
  };
}

class DiskDraft implements Draft {
  readonly path: string;
  size = 0;
  readonly #folder: string;
  readonly #file: FileHandle;
  #kept = false;

  constructor(folder: string, path: string, file: FileHandle) {
    this.#folder = folder;
    this.path = path;
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.byteLength; ) {
      const { bytesWritten } = await orFull(this.#file.write(bytes, written));
      written += bytesWritten;
      this.size += bytesWritten;
    }
  }

  async keep(name: string): Promise<void> {
    await orFull(this.#file.sync());
    await this.#file.close();
    await rename(this.path, join(this.#folder, name));
    this.#kept = true;
    // The name is part of the folder: without this a power cut could forget it.
    const folder = await open(this.#folder, "r");
    await folder.sync();
    await folder.close();
  }

  async discard(): Promise<void> {
    if (this.#kept) return;
    await this.#file.close().catch(() => {});
    await rm(this.path, { force: true });
  }
}

async function find(path: string): Promise<StoredBlob | null> {
  const found = await lstat(path).catch(() => null);
  // What is no plain file (a link, say) was not put here by us.
  if (!found?.isFile()) return null;
  const { size } = found;
  const whole = await openAsBlob(path);
  // A slice even of all: of a whole file the runtime would answer ranges on its own account.
  return { size, bytes: (first = 0, last = size - 1) => whole.slice(first, last + 1) };
}

async function* all(folder: string): AsyncGenerator<KeptBlob> {
  for await (const { name } of await opendir(folder)) {
    const found = await lstat(join(folder, name)).catch(() => null);
    if (found?.isFile()) yield { name, writtenAt: found.mtimeMs };
  }
}

async function orFull<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOSPC" && code !== "EDQUOT") throw error;
    throw new Refusal("unavailable", "There is no room for files at the moment. Tell the operator.");
  }
}
