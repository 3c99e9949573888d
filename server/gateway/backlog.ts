// What slow readers have not taken yet, all together: each is bounded by itself, but thousands of them are not.
import { handedOver, type Socket } from "./socket.ts";

/** A buffer that grows is copied into a larger one, and leaves its old room behind. */
const roomPerByte = 1.5;
/** A character, as they are counted where they are handed over, is at most three bytes long. */
const roomPerCharacter = 3 * roomPerByte;
/** After closing some, the rest takes at most this part of what may wait: the next one is not due at once. */
const roomAfter = 0.75;

export class Backlog {
  readonly #most: number;
  #nextLook: number;

  /** `most`: bytes of memory. */
  constructor(most: number) {
    this.#most = most;
    this.#nextLook = handedOver.characters + most / roomPerCharacter;
  }

  /** Whether so much was sent since the last look that too much may wait: no more than waited then and was sent since. */
  get isDue(): boolean {
    return handedOver.characters > this.#nextLook;
  }

  /** Looks at all sockets; closes the fullest, without waiting for them, until the others fit. */
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
