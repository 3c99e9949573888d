// One keep-alive HTTP/1.1 connection on a raw socket: sends prepared bytes, parses responses as they arrive.
import type { Socket } from "bun";
import { comingFrom } from "./addresses.ts";

interface AnswerHandler {
  /** A chunk of the body; `offset` is its position in the body. */
  onBody?(chunk: Buffer, start: number, end: number, offset: number): void;
  onAnswer(status: number): void;
  onClose(reason: string): void;
}

export interface HttpConnection {
  send(request: Buffer): void;
  close(): void;
}

const headEnd = Buffer.from("\r\n\r\n");
/** The end of a response in chunked encoding; none of our responses has these bytes in its body. */
const lastChunk = "\r\n0\r\n\r\n";
const contentLength = /\r\ncontent-length: *(\d+)/i;
/** Bun's spelling. Searching the bytes for it avoids a regular expression over a head of two kilobytes. */
const usualContentLength = Buffer.from("\r\nContent-Length: ");

/** `from` is the loopback address that the server sees; 127.0.0.1 by default. */
export async function openHttp(
  host: string,
  port: number,
  handler: AnswerHandler,
  from?: string,
): Promise<HttpConnection> {
  let unsent: Buffer | undefined;
  let closing = false;
  const read = createAnswerReader(handler);

  function write(socket: Socket, bytes: Buffer): void {
    const written = Math.max(0, socket.write(bytes));
    unsent = written < bytes.length ? bytes.subarray(written) : undefined;
  }

  const socket = await Bun.connect({
    ...comingFrom(from),
    hostname: host,
    port,
    socket: {
      data: (_, chunk) => read(chunk),
      drain: (socket) => {
        if (unsent) write(socket, unsent);
      },
      close: () => {
        if (!closing) handler.onClose("the server closed a connection");
      },
      error: (_, error) => handler.onClose(error.message),
    },
  });
  return {
    send: (request) => write(socket, request),
    close: () => {
      closing = true;
      socket.end();
    },
  };
}

/** Returns a parser for one response at a time: it takes chunks, and calls the handler with status and body. */
function createAnswerReader(handler: AnswerHandler): (chunk: Buffer) => void {
  let head: Buffer | undefined;
  let status = 0;
  let length = -1;
  let seen = 0;
  let ending = "";

  return function read(chunk: Buffer): void {
    let start = 0;
    let bytes = chunk;
    if (length < 0) {
      bytes = head ? Buffer.concat([head, chunk]) : chunk;
      const end = bytes.indexOf(headEnd);
      if (end < 0) {
        head = bytes;
        return;
      }
      head = undefined;
      status = (bytes[9]! - 48) * 100 + (bytes[10]! - 48) * 10 + (bytes[11]! - 48);
      length = bodyLength(status, bytes, end);
      seen = 0;
      ending = "";
      start = end + headEnd.length;
    }
    const size = bytes.length - start;
    if (seen + size > length) throw new Error("more bytes than the answer announced");
    if (size > 0 && length === inChunks) {
      ending = (ending + bytes.toString("latin1", Math.max(start, bytes.length - lastChunk.length))).slice(
        -lastChunk.length,
      );
      if (ending === lastChunk) length = seen + size;
    } else if (size > 0) handler.onBody?.(bytes, start, bytes.length, seen);
    seen += size;
    if (seen < length) return;
    length = -1;
    handler.onAnswer(status);
  };
}

/** The length of a body in chunked encoding, whose end the last chunk marks. */
const inChunks = Number.POSITIVE_INFINITY;

function bodyLength(status: number, bytes: Buffer, end: number): number {
  const at = bytes.indexOf(usualContentLength);
  if (at >= 0 && at < end) return parseInt(bytes.toString("latin1", at + usualContentLength.length, end), 10);
  const head = bytes.toString("latin1", 0, end);
  const stated = contentLength.exec(head)?.[1];
  if (stated !== undefined) return Number(stated);
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return inChunks;
  if (status === 204 || status === 304) return 0;
  throw new Error(`an answer without a content length: ${head}`);
}
