// Blobs in a folder: a draft is written to `tmp`, and moved into place when it is whole and synced.
import { randomBytes } from "node:crypto";
import { closeSync, constants, openAsBlob, openSync } from "node:fs";
import { access, type FileHandle, lstat, mkdir, open, opendir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { SameFiles } from "../database/same-files.ts";
import { StorageFault, WriteGate } from "../database/write-gate.ts";
import type { Blobs, Draft, KeptBlob, KeptBlobs, StoredBlob } from "./blobs.ts";
import { freeBytes, hasRoom } from "./room.ts";

const gone = "the folder of uploads is gone or replaced: stop Hearth, put it right, and start it again";
const lookAtFolderMs = 1000;

/** Makes the folder when it is missing. */
export async function openDisk(folder: string, reserve?: number): Promise<Blobs> {
  const drafts = draftsIn(folder);
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  const disk = new Disk(folder, drafts);
  const kept = keptOnDisk(folder);
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
      const found = await kept.find(name);
      // When the folder is gone, "no such file" would be a wrong answer: `look` throws StorageFault instead.
      if (!found) await disk.writing(() => disk.look());
      return found;
    },
    all: kept.all,
    // The folder belongs to one Hearth alone.
    async remove(name) {
      await disk.remove(name);
      return true;
    },
    removeOwn: (name) => disk.remove(name),
    hasRoomFor: (bytes) => disk.writing(() => hasRoom(folder, bytes, reserve)),
    freeBytes: () => freeBytes(folder),
    onTrouble: (hear) => disk.gate.onChange(hear),
    // Checksums are left to the file system.
    onWrongBytes() {},
    trouble: async () => disk.gate.trouble?.sentence,
    close: () => disk.close(),
  };
}

/** The kept files of the folder, which need not exist. */
export function keptOnDisk(folder: string): KeptBlobs {
  return { find: (name) => find(join(folder, name)), all: () => all(folder) };
}

/** Deletes the drafts that a crash left behind. No other process may be writing any. */
export async function deleteDrafts(folder: string): Promise<void> {
  const drafts = draftsIn(folder);
  const left = await readdir(drafts).catch(() => []);
  for (const name of left) await rm(join(drafts, name), { recursive: true, force: true });
}

function draftsIn(folder: string): string {
  return join(folder, "tmp");
}

/** The folder, and whether it accepts files at the moment. */
class Disk {
  readonly folder: string;
  readonly gate: WriteGate;
  readonly #drafts: string;
  readonly #folders: SameFiles;
  /** Descriptors of the folders, held open so that no later folder can be given the same inode number. */
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

  /**
   * Runs work that needs the folder. When the disk refuses it, this call and all later ones are refused as unavailable.
   */
  writing<T>(work: () => Promise<T>): Promise<T> {
    return this.#asking(async () => {
      this.gate.check();
      return work();
    });
  }

  /**
   * Removes a file, also from a full disk, since that makes room. Throws the file system's error when only this file
   * cannot be removed; that does not shut the gate.
   */
  async remove(name: string): Promise<void> {
    // When the folder is gone, "no such file" would be a wrong answer.
    if (await this.#folders.missing()) await this.writing(() => this.look());
    try {
      await rm(join(this.folder, name), { force: true });
    } catch (error) {
      await this.#asking(() => access(this.folder, constants.W_OK));
      throw error;
    }
  }

  async #asking<T>(work: () => Promise<T>): Promise<T> {
    try {
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

  /** Throws StorageFault when the folder was replaced by another one of the same name. */
  async look(): Promise<void> {
    if (await this.#folders.missing()) this.gate.shut(gone);
    this.gate.check();
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

/** The operator's sentence for a file system error; undefined when the error says nothing about the disk. */
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
      // The new name is an entry of the folder: unless the folder is synced too, a power cut could lose it.
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
    // A draft that cannot be deleted now is deleted at the next start.
    await rm(this.path, { force: true }).catch(() => {});
  }
}

async function find(path: string): Promise<StoredBlob | null> {
  const found = await lstat(path).catch(() => null);
  // A link or folder under this name was not put here by the server.
  if (!found?.isFile()) return null;
  const { size } = found;
  const whole = await openAsBlob(path);
  // `slice` even for the whole file: given the file itself, the runtime would answer Range headers by its own rules.
  return { size, bytes: (first = 0, last = size - 1) => whole.slice(first, last + 1) };
}

async function* all(folder: string): AsyncGenerator<KeptBlob> {
  const entries = await opendir(folder).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for await (const { name } of entries) {
    const found = await lstat(join(folder, name)).catch(() => null);
    if (found?.isFile()) yield { name, size: found.size, writtenAt: found.mtimeMs };
  }
}
