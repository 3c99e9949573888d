// Reading what clients send: long frames one after the other over everybody, with everybody else's turns in between.
import { type ClientFrame, parseFrame } from "./client-frames.ts";
import { type Socket, settled } from "./socket.ts";
import { PieceTurns, weightAtOnce } from "./turns.ts";

/** Characters of a frame that is read as it comes; a resume of some thirty servers has as many. */
const shortFrame = 4096;
/** To take a text apart costs so many times what it costs to send it on. */
const costOfReading = 8;
/** Characters that may wait to be read, of all sockets together: half a second's worth. */
const mostWaiting = 16 * 1024 * 1024;

type Read = ClientFrame | undefined;

export class Reading {
  readonly #pieces = new PieceTurns();
  #waiting = 0;

  /** Whether one more of this length may wait. */
  hasRoomFor({ length }: string | Uint8Array): boolean {
    return length < shortFrame || this.#waiting + length <= mostWaiting;
  }

  /** As `parseFrame`: at once, or where it is long, or behind a long one of this socket, when it is its turn. */
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
      // Nobody waits any more for what a closed one has said.
      if (!socket.isOpen) return 0;
      frame = parseFrame(message);
      return Math.min(message.length * costOfReading, weightAtOnce);
    });
    return frame;
  }
}
