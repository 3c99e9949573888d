// Pictures kept on disk, each whole in a file of its own; when they are too many, what was not used for longest goes.
// They can be fetched again: where the disk takes none, they are not kept, and that is all.
import { randomBytes } from "node:crypto";
import { openAsBlob } from "node:fs";
import { mkdir, open, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { hasRoom } from "../../server/blobs/room.ts";
import { Queue } from "../../server/queue.ts";
import type { Log } from "../../server/telemetry/log.ts";
import type { FetchedPicture } from "./fetching.ts";
import { filename, type PictureFile, picturesIn } from "./folder.ts";

/** A picture is fetched anew after this time, as another one may have taken its address: a new avatar, say. */
const freshMs = 24 * 3600_000;
/** Bounds the memory of the list: of the smallest pictures millions would fit into the bytes that are granted. */
const mostPictures = 50_000;
/** Bytes that may wait to be written. Pictures that come while so much waits are not kept. */
const mostWaiting = 32 * 1024 * 1024;

export interface DiskCacheBounds {
  /** Of all pictures together. */
  mostBytes: number;
  mostPictures?: number;
  /** Bytes that stay free on the disk. */
  reserve?: number;
}

export interface KeptPicture extends PictureFile {
  /** The file, unread. */
  blob: Blob;
}

export class DiskCache {
  readonly #folder: string;
  readonly #drafts: string;
  readonly #bounds: DiskCacheBounds;
  readonly #log: Pick<Log, "warn" | "info">;
  /** By key, the one that was not used for longest first. */
  readonly #pictures = new Map<string, PictureFile>();
  /** Few at a time: the syncs of the database need the same threads. */
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

  /** The sum of the sizes of all pictures that are kept. */
  async bytes(): Promise<number> {
    await this.#open();
    return this.#bytes;
  }

  /** The picture of this key, unless it is missing or no longer fresh. To find it is to use it. */
  async find(key: string): Promise<KeptPicture | undefined> {
    await this.#open();
    const picture = this.#pictures.get(key);
    if (!picture || Math.abs(Date.now() - picture.fetchedAt) > freshMs) return undefined;
    this.#pictures.delete(key);
    this.#pictures.set(key, picture);
    const path = join(this.#folder, filename(key, picture));
    try {
      // Fails for a file that somebody deleted.
      await utimes(path, Date.now() / 1000, picture.fetchedAt / 1000);
      return { ...picture, blob: await openAsBlob(path) };
    } catch {
      if (this.#pictures.get(key) === picture) this.#forget(key, picture);
      return undefined;
    }
  }

  /** Resolves when the picture is on the disk, or will not be. Never rejects. */
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

  /** What waits is not written any more. */
  close(): void {
    this.#isClosed = true;
    this.#writing.close();
  }

  #open(): Promise<void> {
    this.#opened ??= this.#recall();
    return this.#opened;
  }

  /** Learns what an earlier process kept, and deletes what it left half-written. */
  async #recall(): Promise<void> {
    try {
      await rm(this.#drafts, { recursive: true, force: true });
      const found = (await Array.fromAsync(picturesIn(this.#folder))).sort(
        ([, one], [, other]) => one.usedAt - other.usedAt,
      );
      for (const [key, picture] of found) await this.#note(key, picture);
      await this.#trim();
    } catch (error) {
      // The folder is made with the first picture.
      if ((error as { code?: unknown }).code !== "ENOENT")
        this.#log.warn({ err: error }, "the kept pictures cannot be read");
    }
  }

  async #write(key: string, { format, bytes, fetchedAt }: FetchedPicture): Promise<void> {
    await this.#open();
    // Made each time: an operator may empty the folder at any time, or remove it.
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

  /** Takes a file into the list as the one used last. An older one of the same address, in another format, goes. */
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

/** Once this resolves, the bytes outlive a power cut: a file that has its name is never half-written. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
