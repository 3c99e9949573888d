// A socket for a library that bounds too little of its input: ended by the first byte over the limit, TLS included.
import { Socket } from "node:net";

/** Interval of the checks, in milliseconds: TLS bypasses `push` for incoming bytes, so a timer checks them, too. */
const lookMs = 10;

/** Fails with an error instead of delivering the piece with the first byte beyond `most`. Starts unconnected. */
export class CountedSocket extends Socket {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
    this.once("connect", () => {
      const look = setInterval(() => this.#isOver(), lookMs);
      this.once("close", () => clearInterval(look));
    });
  }

  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (piece !== null && this.#isOver()) return false;
    return super.push(piece, encoding);
  }

  #isOver(): boolean {
    if (this.bytesRead <= this.#most) return false;
    this.destroy(new Error("it says more than it was asked for"));
    return true;
  }
}
