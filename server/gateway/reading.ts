// Parses what clients send: long frames one after the other over all sockets, with other work's turns in between.
import { type ClientFrame, parseFrame } from "./client-frames.ts";
import { type Socket, settled } from "./socket.ts";
import { PieceTurns, weightAtOnce } from "./turns.ts";

/** A frame of fewer characters is parsed as it comes; a resume of some thirty servers has as many. */
const shortFrame = 4096;
/** Parsing a text costs so many times what sending it costs. */
const costOfReading = 8;
/** Characters that may wait to be parsed, of all sockets together: half a second of work. */
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
   * Returns what `parseFrame` returns: at once for a short frame; in its turn for a long one, and for a frame behind a
   * long one of the same socket.
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
      // A frame of a socket that has closed is not parsed.
      if (!socket.isOpen) return 0;
      frame = parseFrame(message);
      return Math.min(message.length * costOfReading, weightAtOnce);
    });
    return frame;
  }
}
