// Reads the body of one answer: by its length, in chunks, or up to the end of the connection, and never more than
// allowed.
import { BadAnswer, type Head } from "./answer.ts";
import { Chunks } from "./chunks.ts";
import { Gathered } from "./gathered.ts";

/** How many bytes of a body are allowed; or how many from its beginning are wanted, whatever follows them. */
export type Wanted = number | { first: number };

export class BodyReader {
  readonly #gathered: Gathered;
  readonly #chunks: Chunks | undefined;
  /** Undefined when the end of the connection ends the body. */
  readonly #length: number | undefined;
  #isAtEnd = false;

  constructor({ status, headers }: Head, wanted: Wanted, isHead: boolean) {
    const most = typeof wanted === "number" ? wanted : wanted.first;
    const isCut = most === 0 || typeof wanted !== "number";
    // Wrong framing is refused even when nothing is read; headers without a body may declare anything.
    const said = isHead ? 0 : lengthOf(headers);
    this.#gathered = new Gathered(most, isCut, said);
    const chunks =
      !isHead && headers.has("transfer-encoding") ? chunksOf(headers, this.#gathered) : undefined;
    if (isHead || status === 204 || status === 304) this.#length = 0;
    else if (chunks) this.#chunks = chunks;
    else this.#length = said;
    if (this.#length && this.#length > most && !isCut) throw new BadAnswer("too large");
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#gathered.bytes;
  }

  /** True if the body was read to its declared end, and nothing came after it. */
  get isAtEnd(): boolean {
    return this.#chunks?.isAtEnd ?? this.#isAtEnd;
  }

  /** Returns whether everything wanted has been read. */
  take(bytes: Buffer): boolean {
    if (this.#chunks) {
      const isOver = this.#gathered.isComplete || this.#chunks.take(bytes);
      return isOver || this.#gathered.isComplete;
    }
    const left = this.#length === undefined ? bytes.length : this.#length - this.#gathered.length;
    if (bytes.length > 0) this.#gathered.add(bytes.subarray(0, left));
    const isOver = this.#gathered.length === this.#length;
    this.#isAtEnd = isOver && bytes.length <= left;
    return isOver || this.#gathered.isComplete;
  }

  /** Throws when the connection ended too early. */
  end(): void {
    if (this.#chunks || this.#length !== undefined) throw new BadAnswer("cut off");
  }
}

/** A length beside chunks is refused, as one of the two is a lie. */
function chunksOf(headers: Head["headers"], into: Gathered): Chunks {
  const isChunked = headers.get("transfer-encoding")?.toLowerCase() === "chunked";
  if (!isChunked || headers.has("content-length")) throw new BadAnswer("framed in a way that is not known");
  return new Chunks(into);
}

function lengthOf(headers: Head["headers"]): number | undefined {
  const said = headers.get("content-length");
  if (said === undefined) return undefined;
  if (!/^\d{1,15}$/.test(said)) throw new BadAnswer("a length that is none");
  return Number(said);
}
