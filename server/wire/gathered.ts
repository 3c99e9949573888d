// Bytes in one growing buffer: a body of a million pieces takes no more memory than one of a few.
import { BadAnswer } from "./answer.ts";

const leastCapacity = 16 * 1024;
/** The most that is allocated ahead for a declared length, which may be a lie. */
const mostBeforehand = 256 * 1024;

export class Gathered {
  readonly #most: number;
  readonly #isCut: boolean;
  readonly #firstCapacity: number;
  #bytes = new Uint8Array(0);
  #length = 0;

  /**
   * Bytes after the first `most` are refused, or ignored if `isCut`. `said` is the length that the host declares, if it
   * does.
   */
  constructor(most: number, isCut: boolean, said = leastCapacity) {
    this.#most = most;
    this.#isCut = isCut;
    this.#firstCapacity = Math.min(said, mostBeforehand);
  }

  get length(): number {
    return this.#length;
  }

  /** True if nothing more is wanted. */
  get isComplete(): boolean {
    return this.#isCut && this.#length === this.#most;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  add(given: Uint8Array): void {
    const left = this.#most - this.#length;
    if (given.length > left && !this.#isCut) throw new BadAnswer("too large");
    const bytes = given.subarray(0, left);
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const capacity = Math.min(this.#most, Math.max(length, 2 * this.#bytes.length, this.#firstCapacity));
      const grown = new Uint8Array(capacity);
      grown.set(this.bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }
}
