// Random access to a file through one buffered window: a walk over millions of small parts makes few reads.
import type { FileHandle } from "node:fs/promises";

/** Bytes per read; other work has its turn between two reads. */
const windowBytes = 16 * 1024;
/** Most parts of a file that are read: the largest pictures have some thousand. */
const mostParts = 50_000;

/** Thrown for a file of too many parts, which was made to take long. */
export class TooOdd extends Error {}

export class FileBytes {
  readonly size: number;
  readonly #file: FileHandle;
  readonly #memory = Buffer.alloc(windowBytes);
  #start = 0;
  #parts = 0;
  #window: Buffer = this.#memory.subarray(0, 0);

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  /** Counts a part that is read. Throws TooOdd. */
  count(): void {
    if (++this.#parts > mostParts) throw new TooOdd();
  }

  /** Returns `length` bytes, fewer at the end of the file. They are valid until the next call. */
  async at(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + length, this.size);
    if (end <= position) return this.#memory.subarray(0, 0);
    if (end - position > windowBytes) return this.#read(Buffer.alloc(end - position), position);
    if (position < this.#start || end > this.#start + this.#window.length) {
      this.#start = position;
      this.#window = await this.#read(this.#memory, position);
    }
    return this.#window.subarray(position - this.#start, end - this.#start);
  }

  /**
   * Returns the bytes from here on that are in the window, at least two if the file has them. They are valid until the
   * next call.
   */
  async from(position: number): Promise<Buffer> {
    const end = this.#start + this.#window.length;
    if (position >= this.#start && position + 2 <= end) return this.#window.subarray(position - this.#start);
    return this.at(position, windowBytes);
  }

  async #read(into: Buffer, position: number): Promise<Buffer> {
    let length = 0;
    while (length < into.length) {
      const { bytesRead } = await this.#file.read(into, length, into.length - length, position + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return into.subarray(0, length);
  }
}
