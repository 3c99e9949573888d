// A minimal WebSocket client on a raw socket, with no more than a load test needs.
import type { Socket } from "bun";
import { comingFrom } from "./addresses.ts";

export interface FrameHandler {
  /** A whole text message, from `start` to `end` of the bytes, which are valid only during the call. */
  onText(bytes: Buffer, start: number, end: number): void;
  onClose(reason: string): void;
}

export interface WebSocketConnection {
  send(text: string): void;
  /** Sends many texts in one write. */
  sendAll(texts: string[]): void;
  /** Stops reading. */
  pause(): void;
  close(): void;
}

const opcode = { text: 1, close: 8, ping: 9, pong: 10 } as const;
const headEnd = Buffer.from("\r\n\r\n");

/** Rejects when the upgrade is refused. `from` is the loopback address that the server sees. */
export async function openWebSocket(
  host: string,
  port: number,
  path: string,
  handler: FrameHandler,
  from?: string,
): Promise<WebSocketConnection> {
  // A client sends only after the upgrade is answered: a server may refuse earlier bytes.
  const upgrade = Promise.withResolvers<void>();
  // May reject before anything awaits it.
  upgrade.promise.catch(() => {});
  let closing = false;
  let upgraded = false;
  let rest: Buffer | undefined;
  let unsent: Buffer | undefined;

  function write(socket: Socket, bytes: Buffer): void {
    const all = unsent ? Buffer.concat([unsent, bytes]) : bytes;
    const written = Math.max(0, socket.write(all));
    unsent = written < all.length ? all.subarray(written) : undefined;
  }

  function read(socket: Socket, chunk: Buffer): void {
    let bytes = rest ? Buffer.concat([rest, chunk]) : chunk;
    rest = undefined;
    if (!upgraded) {
      const end = bytes.indexOf(headEnd);
      if (end < 0) {
        rest = bytes;
        return;
      }
      const head = bytes.toString("latin1", 0, end);
      if (!head.startsWith("HTTP/1.1 101")) {
        ended(`the upgrade was refused: ${head}`);
        return;
      }
      upgraded = true;
      upgrade.resolve();
      bytes = bytes.subarray(end + headEnd.length);
    }
    const used = readFrames(socket, bytes);
    if (used < bytes.length) rest = bytes.subarray(used);
  }

  /** Called once, although the connection closes after the close frame, too. */
  function ended(reason: string): void {
    if (closing) return;
    closing = true;
    if (upgraded) handler.onClose(reason);
    else upgrade.reject(new Error(reason));
  }

  function readFrames(socket: Socket, bytes: Buffer): number {
    let at = 0;
    for (;;) {
      if (bytes.length - at < 2) return at;
      let start = at + 2;
      let size = bytes[at + 1]!;
      if (size === 126) {
        if (bytes.length - at < 4) return at;
        size = bytes.readUInt16BE(start);
        start += 2;
      } else if (size === 127) {
        if (bytes.length - at < 10) return at;
        size = Number(bytes.readBigUInt64BE(start));
        start += 8;
      }
      const end = start + size;
      if (end > bytes.length) return at;
      onFrame(socket, bytes, bytes[at]!, start, end);
      at = end;
    }
  }

  function onFrame(socket: Socket, bytes: Buffer, first: number, start: number, end: number): void {
    if (first === (0x80 | opcode.text)) handler.onText(bytes, start, end);
    else if (first === (0x80 | opcode.ping)) write(socket, frame(opcode.pong, bytes.subarray(start, end)));
    else if (first === (0x80 | opcode.close)) ended(closeReason(bytes, start, end));
    else if (first !== (0x80 | opcode.pong)) ended(`a frame that starts with byte ${first}`);
  }

  const socket = await Bun.connect({
    ...comingFrom(from),
    hostname: host,
    port,
    socket: {
      open: (socket) => {
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: aGVhcnRoIGJlbmNoIGtleQ==\r\n\r\n",
        );
      },
      data: read,
      drain: (socket) => {
        if (unsent) write(socket, Buffer.alloc(0));
      },
      close: () => ended("the server closed a socket without a word"),
      error: (_, error) => ended(error.message),
    },
  });
  await upgrade.promise;
  return {
    send: (text) => {
      write(socket, frame(opcode.text, Buffer.from(text)));
    },
    sendAll: (texts) => {
      write(socket, Buffer.concat(texts.map((text) => frame(opcode.text, Buffer.from(text)))));
    },
    pause: () => {
      socket.pause();
    },
    close: () => {
      closing = true;
      socket.end();
    },
  };
}

/** Returns a client frame, which must be masked: a mask of zeros is valid and costs nothing to apply. */
function frame(code: number, payload: Buffer): Buffer {
  const long = payload.length > 125;
  const huge = payload.length > 65_535;
  const head = Buffer.alloc(huge ? 14 : long ? 8 : 6);
  head[0] = 0x80 | code;
  head[1] = 0x80 | (huge ? 127 : long ? 126 : payload.length);
  if (huge) head.writeBigUInt64BE(BigInt(payload.length), 2);
  else if (long) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

function closeReason(bytes: Buffer, start: number, end: number): string {
  const code = end - start >= 2 ? bytes.readUInt16BE(start) : 1005;
  return `the server closed a socket: ${code} ${bytes.toString("utf8", start + 2, end)}`;
}
