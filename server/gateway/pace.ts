// Long things, READY and replays, go out no faster than their reader takes them; and when a reader is too slow.
import type { Socket } from "./socket.ts";

/** Something may wait for this long without the reader taking anything. */
const slowLimitMs = 5000;
/** The same for what is long: the system's own buffers take megabytes, and say so only when a good part is free again. */
const pacedLimitMs = 15_000;

/** Until the reader has taken enough, or is gone. */
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

/** The reader took something: it is given its time anew. */
export function tookSome(socket: Socket): void {
  socket.behindSince = 0;
  socket.onDrain?.();
}

/** Looked at now and then: whether something waits, and the reader has taken nothing of it for too long. */
export function isTooSlow(socket: Socket, now: number): boolean {
  if (!socket.wire || socket.wire.getBufferedAmount() === 0) {
    socket.behindSince = 0;
    socket.isPaced = false;
    return false;
  }
  if (socket.behindSince === 0) socket.behindSince = now;
  return now - socket.behindSince > (socket.isPaced ? pacedLimitMs : slowLimitMs);
}
