// Reads an object in pieces, several at once from a slow store, and passes on none with other bytes than were written.
import { createHash } from "node:crypto";
import { longestPiece } from "./blobs.ts";

interface ObjectRead {
  size: number;
  /** The checksums noted when the object was written: of all its bytes, and of each piece. */
  sha256?: string | undefined;
  pieceSums?: string | undefined;
  get(first: number, last: number): Promise<Uint8Array>;
  /** The error that ends the stream when a checksum does not match. */
  wrong(): Error;
}

/** A read of an object, or of a part: from byte `first` to byte `last`, both included. */
interface Reading extends ObjectRead {
  first: number;
  last: number;
  /** Returns the checksums of the pieces of an object that was written without them: see `pieceSumsOf`. */
  computedSums(): Promise<string> | string;
}

/** Letters of a piece's checksum: 48 bits detect mistakes, and the largest upload's sums fit into its metadata. */
const sumLength = 8;
/** The most pieces of one object that are requested side by side. */
const mostOfOne = 4;
/** The most pieces of all objects that are requested, or buffered, ahead of their readers. */
const mostAhead = 32;
let ahead = 0;

/** Computes the checksums of an upload's pieces, one after the other, as its bytes arrive. */
export class PieceSums {
  #sum = createHash("sha256");
  #length = 0;
  #sums = "";

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + longestPiece - this.#length);
      this.#sum.update(part);
      this.#length += part.length;
      at += part.length;
      if (this.#length === longestPiece) this.#end();
    }
  }

  digest(): string {
    if (this.#length > 0) this.#end();
    return this.#sums;
  }

  #end(): void {
    this.#sums += this.#sum.digest("base64url").slice(0, sumLength);
    this.#sum = createHash("sha256");
    this.#length = 0;
  }
}

/** A reader slower than the store has at most one piece buffered, and holds no connection to the store. */
export function piecesRead(reading: Reading): ReadableStream<Uint8Array> {
  const pieces = checkedPieces(reading);
  return new ReadableStream<Uint8Array>(
    {
      async pull(sent) {
        const { value, done } = await pieces.next();
        if (done) sent.close();
        else sent.enqueue(value);
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Computes the checksums of all pieces of an object that was written without them. Reads it whole, and throws `wrong()`
 * unless its bytes have the noted checksum.
 */
export async function pieceSumsOf(object: ObjectRead): Promise<string> {
  const sums = new PieceSums();
  const whole = { ...object, first: 0, last: object.size - 1, computedSums: () => "" };
  for await (const piece of checkedPieces(whole)) sums.update(piece);
  return sums.digest();
}

async function* checkedPieces(reading: Reading): AsyncGenerator<Uint8Array, undefined> {
  const { first, last, size, sha256, wrong } = reading;
  const areNoted = areSumsOf(size, reading.pieceSums);
  const isWhole = first === 0 && last === size - 1;
  const needsComputed = !areNoted && !isWhole && sha256 !== undefined;
  const pieceSums = (needsComputed ? await reading.computedSums() : reading.pieceSums) ?? "";
  const areKnown = areNoted || needsComputed;
  // With a checksum per piece, reads use the piece boundaries of the write.
  const from = areKnown ? first - (first % longestPiece) : first;
  const to = areKnown ? Math.min(size, last - (last % longestPiece) + longestPiece) - 1 : last;
  const whole = isWhole && !areKnown && sha256 !== undefined ? createHash("sha256") : undefined;
  for await (const [at, piece] of inOrder(from, to, reading.get)) {
    if (areKnown && sumOf(piece) !== sumAt(pieceSums, at)) throw wrong();
    whole?.update(piece);
    // The last piece is held back, so that nobody gets a whole file with wrong bytes.
    if (at + piece.length > to && whole && whole.digest("hex") !== sha256) throw wrong();
    yield piece.subarray(Math.max(0, first - at), last - at + 1);
  }
}

function areSumsOf(size: number, pieceSums = ""): boolean {
  return size > 0 && pieceSums.length === Math.ceil(size / longestPiece) * sumLength;
}

function sumOf(piece: Uint8Array): string {
  const sums = new PieceSums();
  sums.update(piece);
  return sums.digest();
}

function sumAt(pieceSums: string, at: number): string {
  const begin = (at / longestPiece) * sumLength;
  return pieceSums.slice(begin, begin + sumLength);
}

/** Requests pieces ahead as long as the reader takes each sooner than the store delivers it. */
async function* inOrder(
  from: number,
  to: number,
  get: Reading["get"],
): AsyncGenerator<[at: number, piece: Uint8Array], undefined> {
  const asked: [at: number, piece: Promise<[bytes: Uint8Array, tookMs: number]>][] = [];
  let next = from;
  let window = 1;
  const askOne = () => {
    const begun = performance.now();
    const piece = get(next, Math.min(next + longestPiece - 1, to)).then((bytes): [Uint8Array, number] => [
      bytes,
      performance.now() - begun,
    ]);
    // When the reader is gone, the failure of a prefetched piece concerns nobody.
    piece.catch(() => {});
    asked.push([next, piece]);
    next += longestPiece;
  };
  try {
    while (asked.length > 0 || next <= to) {
      if (asked.length === 0) askOne();
      while (next <= to && asked.length < window && ahead < mostAhead) {
        ahead++;
        askOne();
      }
      const [at, piece] = asked[0]!;
      const [bytes, tookMs] = await piece;
      asked.shift();
      if (asked.length > 0) ahead--;
      const given = performance.now();
      yield [at, bytes];
      window = performance.now() - given < tookMs ? Math.min(window * 2, mostOfOne) : 1;
    }
  } finally {
    ahead -= Math.max(0, asked.length - 1);
  }
}
