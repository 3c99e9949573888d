// Bounds the bytes of large HTTP answers that readers have not taken yet: each is bounded, but there may be thousands.
import type { Metrics } from "../telemetry/metrics.ts";

/** In bytes, or characters of a text. A smaller answer is sent in one go and not counted. */
const countedFrom = 64 * 1024;
/**
 * Bytes handed to a connection at once; it asks for more when they are sent. A connection that stands still keeps them.
 */
const pieceLength = 16 * 1024;

const encoder = new TextEncoder();

/** One answer being sent. Without `bytes` it was given up. */
interface Answer {
  readonly caller: string;
  readonly size: number;
  bytes: Uint8Array | Blob | undefined;
}

/** The whole body of an answer: text, or bytes. */
export type Unsent = string | Blob | Uint8Array<ArrayBuffer>;

export class Unread {
  readonly #most: number;
  /** Oldest first. */
  readonly #answers = new Set<Answer>();
  readonly #metrics: Pick<Metrics, "unreadBytes">;

  /** `most` is in bytes; the current sum stands in the metrics. */
  constructor(most: number, metrics: Pick<Metrics, "unreadBytes">) {
    this.#most = most;
    this.#metrics = metrics;
  }

  /** The body of a response: a large one is sent in pieces as `caller` takes it, and counts until its end. */
  bodyOf(body: Unsent, caller: string): Unsent | ReadableStream<Uint8Array> {
    if ((body instanceof Blob ? body.size : body.length) < countedFrom) return body;
    const bytes = typeof body === "string" ? encoder.encode(body) : body;
    const answer: Answer = { caller, size: bytes instanceof Blob ? bytes.size : bytes.length, bytes };
    this.#answers.add(answer);
    this.#metrics.unreadBytes += answer.size;
    this.#makeRoomFor(answer);
    let at = 0;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (sent) => {
          // Closes the connection in the middle of the answer. Without a reason, which the runtime would print.
          if (!answer.bytes) return sent.error();
          const piece = await pieceOf(answer.bytes, at);
          at += piece.length;
          sent.enqueue(piece);
          if (at < answer.size) return;
          this.#giveUp(answer);
          sent.close();
        },
        cancel: () => this.#giveUp(answer),
      },
      { highWaterMark: 0 },
    );
  }

  #giveUp(answer: Answer): void {
    if (!this.#answers.delete(answer)) return;
    this.#metrics.unreadBytes -= answer.size;
    answer.bytes = undefined;
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

/** A copy: a view would keep the memory of the whole answer. */
async function pieceOf(bytes: Uint8Array | Blob, at: number): Promise<Uint8Array> {
  const piece = bytes.slice(at, at + pieceLength);
  return piece instanceof Blob ? piece.bytes() : piece;
}
