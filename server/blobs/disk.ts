// Blobs in a folder: drafts in `tmp` beside them, moved into place when they are whole and on the disk for good.
import { randomBytes } from "node:crypto";
import { closeSync, openAsBlob, openSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, opendir, readdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { SameFiles } from "../database/same-files.ts";
import { StorageFault, WriteGate } from "../database/write-gate.ts";
import type { Blobs, Draft, KeptBlob, StoredBlob } from "./blobs.ts";

/** What stays free for the database, its log, and the system. */
const reserveBytes = 512 * 1024 * 1024;

const gone = "the folder of uploads is gone or replaced: stop Hearth, put it right, and start it again";
const lookAtFolderMs = 1000;

/** Makes the folder when it is missing. Drafts in it are what a crash left behind: nobody waits for them any more. */
export async function openDisk(folder: string, reserve = reserveBytes): Promise<Blobs> {
  const drafts = join(folder, "tmp");
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  for (const name of await readdir(drafts)) await rm(join(drafts, name), { recursive: true, force: true });
  const disk = new Disk(folder, drafts);
  return {
    async draft() {
      const path = join(drafts, randomBytes(16).toString("hex"));
      const opened = disk.writing(async () => {
        await disk.look();
        return open(path, "wx", 0o600);
      });
      return new DiskDraft(disk, path, await opened);
    },
    async find(name) {
      const found = await find(join(folder, name));
      // Of a folder that is gone nobody can say what was in it.
      if (!found) await disk.writing(() => disk.look());
      return found;
    },
    all: () => all(folder),
    remove: (name) => disk.writing(() => rm(join(folder, name), { force: true })),
    async hasRoomFor(bytes) {
      const { bavail, bsize } = await disk.writing(() => statfs(folder));
      return bavail * bsize - bytes >= reserve;
    },
    onTrouble: (hear) => disk.gate.onChange(hear),
    ping: () => disk.ping(),
    close: () => disk.close(),
  };
}

/** The folder, and whether it takes files. */
class Disk {
  readonly folder: string;
  readonly gate: WriteGate;
  readonly #drafts: string;
  readonly #folders: SameFiles;
  /** Held open, so that no folder made later can be given the number of one of these. */
  readonly #held: readonly number[];
  readonly #watch: ReturnType<typeof setInterval>;

  constructor(folder: string, drafts: string) {
    this.folder = folder;
    this.#drafts = drafts;
    this.#held = [folder, drafts].map((each) => openSync(each, "r"));
    this.#folders = new SameFiles([folder, drafts]);
    this.gate = new WriteGate(() => this.#tryToWrite());
    this.#watch = setInterval(() => this.look().catch(() => {}), lookAtFolderMs);
    this.#watch.unref();
  }

  /** Does what needs the folder. What the disk does not take is refused as unavailable, and so is all that follows. */
  async writing<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.gate.check();
      return await work();
    } catch (error) {
      const sentence = diskTrouble(error);
      if (sentence) this.gate.shut(sentence, error);
      if (sentence || error instanceof StorageFault)
        throw new Refusal("unavailable", "Files are not taken at the moment. Tell the operator.", {
          retryAfter: 2,
        });
      throw error;
    }
  }

  /** Throws StorageFault when the folder is another one than at the start. */
  async look(): Promise<void> {
    if (await this.#folders.missing()) this.gate.shut(gone);
    this.gate.check();
  }

  async ping(): Promise<void> {
    await this.gate.checkNow();
    await this.look();
  }

  close(): void {
    clearInterval(this.#watch);
    this.gate.stop();
    for (const each of this.#held) closeSync(each);
  }

  async #tryToWrite(): Promise<void> {
    if (await this.#folders.missing()) throw new StorageFault(gone);
    const path = join(this.#drafts, "trial");
    const file = await open(path, "w", 0o600);
    try {
      await file.write("does the disk take this?");
      await file.sync();
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  }
}

/** What an error of the file system says about the disk, in a sentence for the operator. */
function diskTrouble(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk of the uploads is full";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return "the folder of uploads cannot be written to";
    case "EIO":
    case "ESTALE":
    case "ETIMEDOUT":
      return "the disk of the uploads fails";
    case "EMFILE":
    case "ENFILE":
      return "Hearth may open no more files: raise the limit (ulimit -n, LimitNOFILE)";
    case "ENOENT":
    case "ENOTDIR":
      return gone;
    default:
      return undefined;
  }
}

class DiskDraft implements Draft {
  readonly path: string;
  size = 0;
  readonly #disk: Disk;
  readonly #file: FileHandle;
  #kept = false;

  constructor(disk: Disk, path: string, file: FileHandle) {
    this.#disk = disk;
    this.path = path;
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.byteLength; ) {
      const { bytesWritten } = await this.#disk.writing(() => this.#file.write(bytes, written));
      written += bytesWritten;
      this.size += bytesWritten;
    }
  }

  async keep(name: string): Promise<void> {
    await this.#disk.writing(async () => {
      await this.#file.sync();
      await this.#file.close();
      await rename(this.path, join(this.#disk.folder, name));
      this.#kept = true;
      // The name is part of the folder: without this a power cut could forget it.
      const folder = await open(this.#disk.folder, "r");
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
      await this.#disk.look();
    });
  }

  async discard(): Promise<void> {
    if (this.#kept) return;
    await this.#file.close().catch(() => {});
    // What is left of it is swept at the next start.
    await rm(this.path, { force: true }).catch(() => {});
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
