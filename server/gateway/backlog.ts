// Bounds the backlog of all slow sockets together: each has its own bound, but thousands of them add up.
import { handedOver, type Socket } from "./socket.ts";

/** Memory per waiting byte: a growing buffer is copied into a larger one, and leaves its old memory behind. */
const roomPerByte = 1.5;
/** Memory per character handed to a socket: in UTF-8 a character takes at most three bytes. */
const roomPerCharacter = 3 * roomPerByte;
/** When sockets are closed, the rest fills at most this part of the bound: the next check is not due at once. */
const roomAfter = 0.75;

export class Backlog {
  readonly #most: number;
  #nextLook: number;

  /** `most`: bytes of memory for all sockets together. */
  constructor(most: number) {
    this.#most = most;
    this.#nextLook = handedOver.characters + most / roomPerCharacter;
  }

  /** True if too much may be waiting: at most the backlog at the last check, and what was sent since. */
  get isDue(): boolean {
    return handedOver.characters > this.#nextLook;
  }

  /** Checks all sockets; cuts off those with the largest backlogs, without a close frame, until the others fit. */
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
