// Notices when a path no longer leads to the file that it led to at first: removed, or another one in its place.
import { statSync } from "node:fs";
import { stat } from "node:fs/promises";

export class SameFiles {
  readonly #known: ReadonlyMap<string, string>;
  #look: Promise<string | undefined> | undefined;

  /**
   * All of them must be there, and somebody must hold them open: the number of a file that nobody holds is given to
   * another one.
   */
  constructor(paths: readonly string[]) {
    this.#known = new Map(paths.map((path) => [path, identity(statSync(path, { bigint: true }))]));
  }

  /** The first of the paths that leads elsewhere or nowhere, or cannot be looked at; undefined when all are as they were. */
  missing(): Promise<string | undefined> {
    // A folder on a network may not answer for long; one thread that waits for it is enough.
    this.#look ??= this.#compare().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  /** Whether all are as they were, at once: it costs some microseconds, and waits for the disk if that does not answer. */
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
