// The output of a backup: standard output, or a file that gets its name only once it is complete and durable.
import { existsSync } from "node:fs";
import { type FileHandle, link, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CannotStart } from "../server/cannot-start.ts";
import type { Sink } from "./archive/writer.ts";
import { syncFolder, writeAll } from "./disk.ts";

export interface Output extends Sink {
  readonly name: string;
  /** Once this resolves, the backup survives a power cut. */
  finish(): Promise<void>;
}

/** Bytes written before a sync. Then the disk is left to the server for as long as that took. */
const goBytes = 4 * 1024 * 1024;

export class FileOutput implements Output {
  readonly name: string;
  readonly #part: string;
  readonly #file: FileHandle;
  #unsynced = 0;

  private constructor(name: string, part: string, file: FileHandle) {
    this.name = name;
    this.#part = part;
    this.#file = file;
  }

  /** `folder` holds the unfinished file, so it must be on the same file system as `target`. */
  static async open(folder: string, target: string): Promise<FileOutput> {
    const part = join(folder, "backup.tar");
    return new FileOutput(target, part, await open(part, "wx", 0o600));
  }

  static async mustNotExist(target: string): Promise<void> {
    if (existsSync(target)) throw taken(target);
    if (!existsSync(dirname(target))) throw new CannotStart(`There is no folder ${dirname(target)}.`);
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeAll(this.#file, bytes);
    this.#unsynced += bytes.length;
    if (this.#unsynced < goBytes) return;
    this.#unsynced = 0;
    const begun = performance.now();
    await this.#file.datasync();
    await sleep(performance.now() - begun);
  }

  async finish(): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
    await nameOnce(this.#part, this.name);
    await syncFolder(dirname(this.name));
  }
}

export class StandardOutput implements Output {
  readonly name = "Standard output";

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((done, failed) => {
      process.stdout.write(bytes, (error) => (error ? failed(error) : done()));
    });
  }

  async finish(): Promise<void> {}
}

/**
 * Names the file by a hard link, which fails if the name is taken. On a disk without hard links the file is renamed.
 */
async function nameOnce(part: string, target: string): Promise<void> {
  try {
    await link(part, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" || existsSync(target)) throw taken(target);
    await rename(part, target);
  }
}

function taken(target: string): CannotStart {
  return new CannotStart(`${target} is there already, and no backup is overwritten: choose another name.`);
}
