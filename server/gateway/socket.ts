// One open socket: what the runtime gives us of it, and the little that we keep about it.
import { timeText } from "../../protocol/clock.ts";
import { type CloseReason, closeCode } from "../../protocol/frames.ts";
import type { Caller } from "../house/feature.ts";
import type { StreamKey } from "../place.ts";
import type { Held } from "./audience.ts";

/** What the gateway needs of the runtime's WebSocket. */
export interface Wire {
  send(frame: string): number;
  /** What is sent meanwhile goes to the system in few calls. */
  cork(send: () => void): void;
  close(code: number, reason: string): void;
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  getBufferedAmount(): number;
  /** Ends it at once, with what it has not taken. */
  terminate(): void;
}

/** All that this process has handed to the runtime for its sockets, once for each that gets it. */
export const handedOver = { characters: 0 };

/** What a socket that waits for nothing waits for; one for all, as each would keep its own for hours. */
export const settled: Promise<void> = Promise.resolve();

const aheadBytes = 256 * 1024;

/** Kept small: there are thousands of these. */
export class Socket {
  wire: Wire | undefined;
  /** The session cookie that came with the upgrade; kept until its AUTH is through. */
  cookie: string | undefined;
  /** Of the client, as far as it is known; kept until it is counted. */
  address: string | undefined;
  caller: Caller | undefined;
  openedAt = performance.now();
  /** The last frame that is being acted on; later ones wait for it. */
  acting = settled;
  /** Frames in a row of a type whose last one holds, and what the first of them waited for. */
  row: { type: string; after: Promise<void> } | undefined;
  /** Until a long frame has been read; later frames wait for it. */
  reading: Promise<void> | undefined;
  /** From its AUTH frame on; later frames wait for it. */
  signingIn: Promise<void> | undefined;
  /** By stream of a server: the names of audiences that it holds there. */
  readonly follows = new Map<StreamKey, Held>();
  /** Of its person's own stream: the number that it has heard last, -1 until its state is loaded. */
  personalHeard = -1;
  /** The highest number that there is, as far as this process was told. */
  personalTold = -1;
  frames = 0;
  framesSince = 0;
  /** Since when something waits to be taken by the other side; 0 when nothing does. */
  behindSince = 0;
  /** Something long is on its way, and was waited for: it may be taken slowly, until all of it is taken. */
  isPaced = false;
  onDrain: (() => void) | undefined;

  constructor(cookie: string | undefined, address: string) {
    this.cookie = cookie;
    this.address = address;
  }

  get isOpen(): boolean {
    return this.wire !== undefined;
  }

  /** Whether more is under way than should be at once: what is long waits for its reader then. */
  get isFarBehind(): boolean {
    return (this.wire?.getBufferedAmount() ?? 0) > aheadBytes;
  }

  send(frame: string): void {
    this.wire?.send(frame);
    handedOver.characters += frame.length;
  }

  /** As one frame after the other, in few calls to the system: each alone would be a call of its own. */
  sendAll(frames: readonly string[]): void {
    if (frames.length === 0) return;
    this.together(() => {
      for (const frame of frames) this.send(frame);
    });
  }

  /** For many frames in one go. */
  together(send: () => void): void {
    this.wire?.cork(send);
  }

  end(why: CloseReason): void {
    // The farewell would come last, and for the ten seconds that it may take what waits before it is counted by nobody.
    // Only who is to come back at once, perhaps out of the middle of a long READY, is told so in any case.
    if (why !== "restart" && this.isFarBehind) {
      this.wire?.terminate();
      return;
    }
    const { code, reason } = closeCode[why];
    this.wire?.close(code, reason);
  }
}

export function frameText(type: string, data: unknown): string {
  return `{"type":"${type}","ts":"${timeText(Date.now())}","data":${JSON.stringify(data)}}`;
}
