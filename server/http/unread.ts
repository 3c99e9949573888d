// Bounds the bytes of large HTTP answers that readers have not taken yet: each is bounded, but there may be thousands.
import { longestPiece } from "../blobs/blobs.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/** In bytes, or characters of a text. A smaller answer is sent in one go and not counted. */
const countedFrom = 64 * 1024;
/** Bytes handed to a connection at once; it requests more when they are sent. A stalled connection keeps them. */
const pieceLength = 16 * 1024;

const encoder = new TextEncoder();

/** An answer that is being sent. Without `source` it was given up. */
interface Answer {
  readonly caller: string;
  readonly size: number;
  source: Source | undefined;
}

/** The source of an answer's body. */
interface Source {
  /** A stream may only know after its last piece that it has ended. */
  next(): Promise<{ piece: Uint8Array | undefined; isOver: boolean }>;
  close(): void;
}

/** The body of an answer: text, bytes, or a stream of pieces from elsewhere. */
export type Unsent = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export class Unread {
  readonly #most: number;
  /** Oldest first. */
  readonly #answers = new Set<Answer>();
  readonly #metrics: Pick<Metrics, "unreadBytes">;

  /** `most` is in bytes; the current sum is in the metrics. */
  constructor(most: number, metrics: Pick<Metrics, "unreadBytes">) {
    this.#most = most;
    this.#metrics = metrics;
  }

  /** The body of a response: a large one is sent in pieces at the pace of `caller`, and counts until its end. */
  bodyOf(body: Unsent, caller: string): Unsent {
    // A stream is not in memory: only the piece that waits for its reader counts.
    if (body instanceof ReadableStream) return this.#sent(piecesComing(body), longestPiece, caller);
    if ((body instanceof Blob ? body.size : body.length) < countedFrom) return body;
    const bytes = typeof body === "string" ? encoder.encode(body) : body;
    const size = bytes instanceof Blob ? bytes.size : bytes.length;
    return this.#sent(piecesOf(bytes, size), size, caller);
  }

  #sent(source: Source, size: number, caller: string): ReadableStream<Uint8Array> {
    const answer: Answer = { caller, size, source };
    this.#answers.add(answer);
    this.#metrics.unreadBytes += size;
    this.#makeRoomFor(answer);
    return new ReadableStream<Uint8Array>(
      {
        pull: async (sent) => {
          try {
            const next = await answer.source?.next();
            // Closes the connection in the middle of the answer. Without a reason, which the runtime would print.
            if (!next || !answer.source) return sent.error();
            if (next.piece) sent.enqueue(next.piece);
            if (!next.isOver) return;
            this.#giveUp(answer);
            sent.close();
          } catch {
            this.#giveUp(answer);
            sent.error();
          }
        },
        cancel: () => this.#giveUp(answer),
      },
      { highWaterMark: 0 },
    );
  }

  #giveUp(answer: Answer): void {
    if (!this.#answers.delete(answer)) return;
    this.#metrics.unreadBytes -= answer.size;
    answer.source?.close();
    answer.source = undefined;
  }

  /**
   * Gives up the oldest answers of the caller with the most unread bytes, until the newest fits; never the newest
   * itself.
   */
  #makeRoomFor(newest: Answer): void {
    if (this.#metrics.unreadBytes <= this.#most) return;
    const sums = new Map<string, number>();
    for (const { caller, size } of this.#answers) sums.set(caller, (sums.get(caller) ?? 0) + size);
    const sumOf = ({ caller }: Answer) => sums.get(caller) ?? 0;
    while (this.#metrics.unreadBytes > this.#most) {
      let fullest: Answer | undefined;
      for (const answer of this.#answers) {
        if (answer !== newest && (!fullest || sumOf(answer) > sumOf(fullest))) fullest = answer;
      }
      if (!fullest) return;
      sums.set(fullest.caller, sumOf(fullest) - fullest.size);
      this.#giveUp(fullest);
    }
  }
}

/** Copies each piece: a view would keep the memory of the whole answer. */
function piecesOf(bytes: Uint8Array | Blob, size: number): Source {
  let at = 0;
  let left: Uint8Array | Blob | undefined = bytes;
  return {
    async next() {
      const piece = left?.slice(at, at + pieceLength);
      at += pieceLength;
      return { piece: piece instanceof Blob ? await piece.bytes() : piece, isOver: at >= size };
    },
    close() {
      left = undefined;
    },
  };
}

function piecesComing(body: ReadableStream<Uint8Array>): Source {
  const reader = body.getReader();
  return {
    async next() {
      const { value, done } = await reader.read();
      return { piece: value, isOver: done };
    },
    close: () => void reader.cancel().catch(() => {}),
  };
}
