// Parses client messages: long frames one after the other over all sockets, with turns of other work in between.
import { type ClientFrame, parseFrame } from "./client-frames.ts";
import { type Socket, settled } from "./socket.ts";
import { PieceTurns, weightAtOnce } from "./turns.ts";

/** The length, in characters, from which a frame is not parsed at once; that of a resume of some thirty servers. */
const shortFrame = 4096;
/** How many times more expensive parsing a text is than sending it. */
const costOfReading = 8;
/** The most characters that may wait to be parsed, of all sockets together: half a second of work. */
const mostWaiting = 16 * 1024 * 1024;

type Read = ClientFrame | undefined;

export class Reading {
  readonly #pieces = new PieceTurns();
  #waiting = 0;

  /** Returns whether a message of this length may wait to be parsed. */
  hasRoomFor({ length }: string | Uint8Array): boolean {
    return length < shortFrame || this.#waiting + length <= mostWaiting;
  }

  /**
   * Returns the result of `parseFrame`: at once for a short frame; in its turn for a long one, and for a frame that
   * follows a long one on the same socket.
   */
  read(socket: Socket, message: string | Uint8Array): Read | Promise<Read> {
    const isLong = message.length >= shortFrame;
    if (!isLong && !socket.reading) return parseFrame(message);
    const before = socket.reading ?? settled;
    const reading = before.then(() => (isLong ? this.#inLine(socket, message) : parseFrame(message)));
    const read = reading.then(() => {
      if (socket.reading === read) socket.reading = undefined;
    });
    socket.reading = read;
    this.#waiting += message.length;
    return reading.finally(() => {
      this.#waiting -= message.length;
    });
  }

  async #inLine(socket: Socket, message: string | Uint8Array): Promise<Read> {
    let frame: Read;
    await this.#pieces.run(async () => {
      // A frame of a closed socket is not parsed.
      if (!socket.isOpen) return 0;
      frame = parseFrame(message);
      return Math.min(message.length * costOfReading, weightAtOnce);
    });
    return frame;
  }
}
