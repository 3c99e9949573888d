// A disk cache of pictures, each in a file of its own; beyond its bounds the least recently used are evicted. Pictures
// can be fetched again, so a disk that fails only means that they are not cached.
import { randomBytes } from "node:crypto";
import { openAsBlob } from "node:fs";
import { mkdir, open, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { hasRoom } from "../../server/blobs/room.ts";
import { Queue } from "../../server/queue.ts";
import type { Log } from "../../server/telemetry/log.ts";
import type { FetchedPicture } from "./fetching.ts";
import { filename, type PictureFile, picturesIn } from "./folder.ts";

/** How long a picture is fresh, in milliseconds; later its URL may serve another one, such as a new avatar. */
const freshMs = 24 * 3600_000;
/** Bounds the memory of the index: millions of the smallest pictures would fit into the configured bytes. */
const mostPictures = 50_000;
/** The most bytes that wait to be written. Pictures beyond that are not cached. */
const mostWaiting = 32 * 1024 * 1024;

export interface DiskCacheBounds {
  /** The bound on all pictures together. */
  mostBytes: number;
  mostPictures?: number;
  /** Bytes to leave free on the disk. */
  reserve?: number;
}

export interface KeptPicture extends PictureFile {
  /** The file, not read yet. */
  blob: Blob;
}

export class DiskCache {
  readonly #folder: string;
  readonly #drafts: string;
  readonly #bounds: DiskCacheBounds;
  readonly #log: Pick<Log, "warn" | "info">;
  /** By key, the least recently used first. */
  readonly #pictures = new Map<string, PictureFile>();
  /** Few writes at a time: the database's syncs need the same threads. */
  readonly #writing = new Queue({ atOnce: 2 });
  #opened: Promise<void> | undefined;
  #bytes = 0;
  #waiting = 0;
  #isFailing = false;
  #isClosed = false;

  constructor(folder: string, bounds: DiskCacheBounds, log: Pick<Log, "warn" | "info">) {
    this.#folder = folder;
    this.#drafts = join(folder, "tmp");
    this.#bounds = bounds;
    this.#log = log;
  }

  /** Returns the total size of all cached pictures. */
  async bytes(): Promise<number> {
    await this.#open();
    return this.#bytes;
  }

  /** Returns the picture of this key, unless it is missing or stale. Marks it as used. */
  async find(key: string): Promise<KeptPicture | undefined> {
    await this.#open();
    const picture = this.#pictures.get(key);
    if (!picture || Math.abs(Date.now() - picture.fetchedAt) > freshMs) return undefined;
    this.#pictures.delete(key);
    this.#pictures.set(key, picture);
    const path = join(this.#folder, filename(key, picture));
    try {
      // Fails if somebody deleted the file.
      await utimes(path, Date.now() / 1000, picture.fetchedAt / 1000);
      return { ...picture, blob: await openAsBlob(path) };
    } catch {
      if (this.#pictures.get(key) === picture) this.#forget(key, picture);
      return undefined;
    }
  }

  /** Resolves when the picture is on the disk, or will not be written. Never rejects. */
  async keep(key: string, picture: FetchedPicture): Promise<void> {
    const { length } = picture.bytes;
    if (this.#isClosed || length > this.#bounds.mostBytes || this.#waiting + length > mostWaiting) return;
    this.#waiting += length;
    try {
      await this.#writing.run(() => this.#write(key, picture));
      if (this.#isFailing && !this.#isClosed) this.#log.info("pictures are kept again");
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing && !this.#isClosed) this.#log.warn({ err: error }, "pictures cannot be kept");
      this.#isFailing = true;
    } finally {
      this.#waiting -= length;
    }
  }

  /** Drops queued writes. */
  close(): void {
    this.#isClosed = true;
    this.#writing.close();
  }

  #open(): Promise<void> {
    this.#opened ??= this.#recall();
    return this.#opened;
  }

  /** Indexes the files of an earlier process, and deletes partial ones. */
  async #recall(): Promise<void> {
    try {
      await rm(this.#drafts, { recursive: true, force: true });
      const found = (await Array.fromAsync(picturesIn(this.#folder))).sort(
        ([, one], [, other]) => one.usedAt - other.usedAt,
      );
      for (const [key, picture] of found) await this.#note(key, picture);
      await this.#trim();
    } catch (error) {
      // The folder is created with the first picture.
      if ((error as { code?: unknown }).code !== "ENOENT")
        this.#log.warn({ err: error }, "the kept pictures cannot be read");
    }
  }

  async #write(key: string, { format, bytes, fetchedAt }: FetchedPicture): Promise<void> {
    await this.#open();
    // Created each time: an operator may empty or remove the folder at any time.
    await mkdir(this.#drafts, { recursive: true, mode: 0o700 });
    if (!(await hasRoom(this.#folder, bytes.length, this.#bounds.reserve)))
      throw new Error("there is too little room on the disk");
    const draft = join(this.#drafts, randomBytes(16).toString("hex"));
    const usedAt = Date.now();
    try {
      await writeWhole(draft, bytes);
      await utimes(draft, usedAt / 1000, fetchedAt / 1000);
      await rename(draft, join(this.#folder, filename(key, { format })));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw error;
    }
    await this.#note(key, { format, size: bytes.length, fetchedAt, usedAt });
    await this.#trim();
  }

  /** Adds a file to the index as the most recently used. An older one of the same URL in another format is removed. */
  async #note(key: string, picture: PictureFile): Promise<void> {
    const older = this.#pictures.get(key);
    if (older) this.#forget(key, older);
    this.#pictures.set(key, picture);
    this.#bytes += picture.size;
    if (older && older.format !== picture.format) await this.#remove(key, older);
  }

  async #trim(): Promise<void> {
    const { mostBytes, mostPictures: most = mostPictures } = this.#bounds;
    for (const [key, picture] of this.#pictures) {
      if (this.#bytes <= mostBytes && this.#pictures.size <= most) return;
      this.#forget(key, picture);
      await this.#remove(key, picture);
    }
  }

  #forget(key: string, { size }: PictureFile): void {
    this.#pictures.delete(key);
    this.#bytes -= size;
  }

  /** A file that cannot be deleted is found again at the next start. */
  async #remove(key: string, picture: PictureFile): Promise<void> {
    await rm(join(this.#folder, filename(key, picture)), { force: true }).catch(() => {});
  }
}

/** Resolves once the bytes would survive a power failure: a file under its final name is never partial. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
