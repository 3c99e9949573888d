// A socket for a library that bounds less than it should: ended by the first byte too many, those of TLS included.
import { Socket } from "node:net";

/** TLS takes what arrives by a way of its own, so its bytes are looked at between the turns of others. */
const lookMs = 10;

/** Fails with an error in place of handing on the piece with the first byte after `most`. Not connected yet. */
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
