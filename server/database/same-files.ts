// Detects that a path no longer leads to its original file: it was removed, or replaced by another.
import { statSync } from "node:fs";
import { stat } from "node:fs/promises";

export class SameFiles {
  readonly #known: ReadonlyMap<string, string>;
  #look: Promise<string | undefined> | undefined;

  /** All files must exist, and the caller must keep them open: the inode number of a closed, deleted file is reused. */
  constructor(paths: readonly string[]) {
    this.#known = new Map(paths.map((path) => [path, identity(statSync(path, { bigint: true }))]));
  }

  /** The first path that leads to another file or to none, or cannot be checked; undefined when all are in place. */
  missing(): Promise<string | undefined> {
    // A folder on a network disk may not answer for long; one blocked thread is enough.
    this.#look ??= this.#compare().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  /** Like `missing`, but synchronous: takes some microseconds, or as long as the disk needs to answer. */
  areInPlace(): boolean {
    try {
      for (const [path, known] of this.#known)
        if (identity(statSync(path, { bigint: true })) !== known) return false;
      return true;
    } catch {
      return false;
    }
  }

  async #compare(): Promise<string | undefined> {
    for (const [path, known] of this.#known) {
      const found = await stat(path, { bigint: true }).catch(() => undefined);
      if (!found || identity(found) !== known) return path;
    }
    return undefined;
  }
}

function identity({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev} ${ino}`;
}
