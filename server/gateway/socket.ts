// One open socket: the runtime's part of it, and the little state that the gateway keeps for it.
import { timeText } from "../../protocol/clock.ts";
import { type CloseReason, closeCode } from "../../protocol/closing.ts";
import type { Caller } from "../house/feature.ts";
import type { StreamKey } from "../place.ts";
import type { Held } from "./audience.ts";
import { SmallMap } from "./small-map.ts";

/** The part of the runtime's WebSocket that the gateway needs. */
export interface Wire {
  send(frame: string): number;
  /** Hands the frames sent by `send` to the system in few calls. */
  cork(send: () => void): void;
  close(code: number, reason: string): void;
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  getBufferedAmount(): number;
  /** Closes the connection at once; what its reader has not taken is lost. */
  terminate(): void;
}

/** Characters that this process has handed to the runtime, counted once per receiving socket. */
export const handedOver = { characters: 0 };

/** A resolved promise, for a socket with nothing to wait for; shared, as each would keep its own for hours. */
export const settled: Promise<void> = Promise.resolve();

const aheadBytes = 256 * 1024;

/** A client's connection. Kept small, as there are thousands. */
export class Socket {
  wire: Wire | undefined;
  /** The session cookie that came with the upgrade; kept until AUTH is done. */
  cookie: string | undefined;
  /** The client's address, as far as it is known; kept until AUTH is done. */
  address: string | undefined;
  caller: Caller | undefined;
  openedAt = performance.now();
  /** When the socket signed in, by the clock that all processes share. */
  since = 0;
  /** Resolves when the last frame has been handled; later ones wait for it. */
  acting = settled;
  /** Frames in a row of a type with `lastHolds`: the type, and the promise that the first of them waited for. */
  row: { type: string; after: Promise<void> } | undefined;
  /** Resolves when a long frame has been parsed; later frames wait for it. */
  reading: Promise<void> | undefined;
  /** Set by the AUTH frame, and resolves when the socket has signed in; later frames wait for it. */
  signingIn: Promise<void> | undefined;
  /** By stream of a server: the audiences that the socket holds there. */
  readonly follows = new SmallMap<StreamKey, Held>();
  /** The last number of its person's own stream that the socket has heard; -1 until its state is loaded. */
  personalHeard = -1;
  /** The highest number of that stream that the bus has delivered to this process. */
  personalTold = -1;
  frames = 0;
  framesSince = 0;
  /** When the client last sent a frame other than PING, by the clock of `SocketActivity`. */
  saidAt = 0;
  /** Since when frames wait for the reader, by performance.now(); 0 when none do. */
  behindSince = 0;
  /** True if a READY or replay had to wait for its reader, which then may be slower until it has taken everything. */
  isPaced = false;
  onDrain: (() => void) | undefined;

  constructor(cookie: string | undefined, address: string) {
    this.cookie = cookie;
    this.address = address;
  }

  get isOpen(): boolean {
    return this.wire !== undefined;
  }

  /** True if so much is buffered for the reader that READY and replays pause. */
  get isFarBehind(): boolean {
    return (this.wire?.getBufferedAmount() ?? 0) > aheadBytes;
  }

  send(frame: string): void {
    this.wire?.send(frame);
    handedOver.characters += frame.length;
  }

  /** Sends the frames in order, in few calls to the system: each frame alone would be a call of its own. */
  sendAll(frames: readonly string[]): void {
    if (frames.length === 0) return;
    this.together(() => {
      for (const frame of frames) this.send(frame);
    });
  }

  /** Calls `send`, and hands its frames to the system in few calls. */
  together(send: () => void): void {
    this.wire?.cork(send);
  }

  /** Closes the socket with the code and reason of `why`. */
  end(why: CloseReason): void {
    // A close frame would come after everything that is buffered, and for the ten seconds that it may take, the backlog
    // does not count that. So a socket that is far behind is cut off. Only `restart` is always sent, as that client
    // should reconnect at once, perhaps in the middle of a long READY.
    if (why !== "restart" && this.isFarBehind) {
      this.wire?.terminate();
      return;
    }
    const { code, reason } = closeCode[why];
    this.wire?.close(code, reason);
  }
}

/** Returns a frame without a number, dated now, as JSON text. */
export function frameText(type: string, data: unknown): string {
  return `{"type":"${type}","ts":"${timeText(Date.now())}","data":${JSON.stringify(data)}}`;
}
