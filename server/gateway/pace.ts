// Sends READY and replays no faster than their reader takes them, and detects readers that are too slow.
import type { Socket } from "./socket.ts";

/** How long frames may wait without the reader taking anything, in milliseconds. */
const slowLimitMs = 5000;
/** The same for READY and replays: the system buffers megabytes of them, and seldom reports that some were taken. */
const pacedLimitMs = 15_000;

/** Resolves when the reader has taken enough, or is gone. */
export async function roomFor(socket: Socket): Promise<void> {
  while (socket.isFarBehind) {
    socket.isPaced = true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 50);
      socket.onDrain = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    socket.onDrain = undefined;
  }
}

/** Resets the reader's time limit after it took something. */
export function tookSome(socket: Socket): void {
  socket.behindSince = 0;
  socket.onDrain?.();
}

/**
 * Returns whether frames are waiting and the reader has taken none for too long. Called from time to time, with `now`
 * from performance.now(): the time runs from the first call that sees frames waiting.
 */
export function isTooSlow(socket: Socket, now: number): boolean {
  if (!socket.wire || socket.wire.getBufferedAmount() === 0) {
    socket.behindSince = 0;
    socket.isPaced = false;
    return false;
  }
  if (socket.behindSince === 0) socket.behindSince = now;
  return now - socket.behindSince > (socket.isPaced ? pacedLimitMs : slowLimitMs);
}
