// Bounds what all slow sockets together have not taken: each has a bound of its own, but thousands of them add up.
import { handedOver, type Socket } from "./socket.ts";

/** Memory for a waiting byte: a buffer that grows is copied into a larger one, and leaves its old memory behind. */
const roomPerByte = 1.5;
/** Memory for a character handed to a socket: in UTF-8 it is at most three bytes long. */
const roomPerCharacter = 3 * roomPerByte;
/** When sockets are closed, the rest fills at most this part of the bound: the next look is not due at once. */
const roomAfter = 0.75;

export class Backlog {
  readonly #most: number;
  #nextLook: number;

  /** `most`: bytes of memory for all sockets together. */
  constructor(most: number) {
    this.#most = most;
    this.#nextLook = handedOver.characters + most / roomPerCharacter;
  }

  /** Whether too much may wait: at most what waited at the last look, and what was sent since. */
  get isDue(): boolean {
    return handedOver.characters > this.#nextLook;
  }

  /** Looks at all sockets; cuts off the fullest, without a close frame, until the others fit. */
  relieve(sockets: Iterable<Socket>): void {
    const behind: { socket: Socket; bytes: number }[] = [];
    let total = 0;
    for (const socket of sockets) {
      const bytes = (socket.wire?.getBufferedAmount() ?? 0) * roomPerByte;
      if (bytes === 0) continue;
      behind.push({ socket, bytes });
      total += bytes;
    }
    if (total > this.#most) {
      behind.sort((one, other) => other.bytes - one.bytes);
      for (const { socket, bytes } of behind) {
        if (total <= this.#most * roomAfter) break;
        total -= bytes;
        socket.wire?.terminate();
      }
    }
    this.#nextLook = handedOver.characters + (this.#most - total) / roomPerCharacter;
  }
}
