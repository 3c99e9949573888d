// Writes a backup: file after file, and at the end the checksums of all, as `sha256sum --check` reads them.
import { createHash } from "node:crypto";
import { sumsName } from "./head.ts";
import { padding, tarEnd, tarHeader } from "./tar.ts";

export interface Sink {
  write(bytes: Uint8Array): Promise<void>;
}

export class ArchiveWriter {
  readonly #sink: Sink;
  readonly #sums: string[] = [];
  readonly #madeAt = Math.floor(Date.now() / 1000);
  /** Bytes written so far. */
  bytes = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /**
   * Adds a file. Returns its SHA-256 in hex. Throws when its size differs: the file grew, shrank or was removed while
   * it was copied.
   */
  async add(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<string> {
    await this.#write(tarHeader(name, size, this.#madeAt));
    const hash = createHash("sha256");
    let written = 0;
    for await (const bytes of content) {
      written += bytes.length;
      if (written > size) break;
      hash.update(bytes);
      await this.#write(bytes);
    }
    if (written !== size) throw new Error(`${name} changed while it was copied`);
    await this.#write(padding(size));
    const sum = hash.digest("hex");
    this.#sums.push(`${sum}  ${name}\n`);
    return sum;
  }

  async finish(): Promise<void> {
    const sums = Buffer.from(this.#sums.join(""));
    await this.#write(tarHeader(sumsName, sums.length, this.#madeAt));
    await this.#write(sums);
    await this.#write(padding(sums.length));
    await this.#write(tarEnd);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#sink.write(bytes);
    this.bytes += bytes.length;
  }
}
