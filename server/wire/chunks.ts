// Reads a body in chunks (RFC 9112, 7.1). The framing, which is sizes, extensions and trailers, is bounded by the
// content: a body of one-byte chunks would cost six times its bytes.
import { BadAnswer } from "./answer.ts";
import type { Gathered } from "./gathered.ts";

/** Bytes of framing that are allowed in addition to as many as there are of content. */
const mostFraming = 64 * 1024;
/** More than any body may have. */
const mostSize = 16 * 1024 * 1024;

const [lineFeed, carriageReturn, semicolon, space, tab] = [0x0a, 0x0d, 0x3b, 0x20, 0x09];

/** `size`: the line before a chunk; `past`: the rest of that line; `close`: the line break after it; `trailer`. */
type State = "size" | "past" | "data" | "close" | "trailer" | "done";

export class Chunks {
  readonly #into: Gathered;
  #state: State = "size";
  #size = 0;
  #hasDigit = false;
  #framing = 0;
  #isAtEnd = false;
  /** The length of the trailer's current line; an empty line is the end. */
  #lineLength = 0;

  constructor(into: Gathered) {
    this.#into = into;
  }

  /** True if the body is complete and nothing came after it. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /** Returns whether the body is complete. */
  take(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length && this.#state !== "done") {
      if (this.#state === "data") {
        const piece = bytes.subarray(at, at + this.#size);
        this.#into.add(piece);
        this.#size -= piece.length;
        at += piece.length;
        if (this.#size === 0) this.#state = "close";
        continue;
      }
      if (++this.#framing > mostFraming + this.#into.length) throw new BadAnswer("more framing than content");
      this.#takeFraming(bytes[at++] as number);
    }
    this.#isAtEnd = this.#state === "done" && at === bytes.length;
    return this.#state === "done";
  }

  #takeFraming(byte: number): void {
    if (this.#state === "size") this.#takeOfSize(byte);
    else if (this.#state === "past") {
      if (byte === lineFeed) this.#beginChunk();
    } else if (this.#state === "close") {
      if (byte === lineFeed) this.#state = "size";
      else if (byte !== carriageReturn) throw new BadAnswer("a chunk that is longer than its size");
    } else if (byte === lineFeed) {
      this.#state = this.#lineLength === 0 ? "done" : "trailer";
      this.#lineLength = 0;
    } else if (byte !== carriageReturn) this.#lineLength++;
  }

  #takeOfSize(byte: number): void {
    const digit = digitOf(byte);
    if (digit >= 0) {
      this.#hasDigit = true;
      this.#size = this.#size * 16 + digit;
      if (this.#size >= mostSize) throw new BadAnswer("too large");
      return;
    }
    if (!this.#hasDigit) throw new BadAnswer("a chunk without a size");
    if (byte === lineFeed) this.#beginChunk();
    else if ([carriageReturn, semicolon, space, tab].includes(byte)) this.#state = "past";
    else throw new BadAnswer("a chunk's size that is none");
  }

  #beginChunk(): void {
    this.#state = this.#size === 0 ? "trailer" : "data";
    this.#hasDigit = false;
  }
}

/** Returns -1 when the byte is not a hexadecimal digit. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
