// Signs in on a WebSocket: AUTH, and then READY or a close code.
import type { Target } from "./jobs.ts";
import { type FrameHandler, openWebSocket, type WebSocketConnection } from "./websocket-reader.ts";

const frameStart = (type: string) => Buffer.from(`{"type":"${type}"`);
const ready = frameStart("READY");
export const resumed = frameStart("RESUMED");

interface SignIn {
  token: string;
  from: string;
  /** The resume point of a returning client. */
  resume?: unknown;
}

/** Resolves on READY or RESUMED. Rejects with the reason when the socket closes first. */
export async function signIn(
  target: Target,
  { token, from, resume }: SignIn,
  handler?: FrameHandler,
): Promise<WebSocketConnection> {
  const settled = Promise.withResolvers<void>();
  settled.promise.catch(() => {});
  let isIn = false;
  const socket = await openWebSocket(
    target.host,
    target.port,
    "/ws",
    {
      onText: (bytes, start, end) => {
        if (!isIn && (startsWith(bytes, start, ready) || startsWith(bytes, start, resumed))) {
          isIn = true;
          settled.resolve();
        }
        handler?.onText(bytes, start, end);
      },
      onClose: (reason) => {
        if (isIn) handler?.onClose(reason);
        else settled.reject(new Error(reason));
      },
    },
    from,
  );
  socket.send(JSON.stringify({ type: "AUTH", data: { token, resume } }));
  await settled.promise;
  return socket;
}

export function startsWith(bytes: Buffer, start: number, text: Buffer): boolean {
  return bytes.compare(text, 0, text.length, start, Math.min(bytes.length, start + text.length)) === 0;
}
