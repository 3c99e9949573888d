// Bare TCP to the port: for what no well-behaved client would send.
import { connect } from "node:net";

const patienceMs = 120_000;
/** So long nothing more has come after a whole answer: there is no other behind it. */
const restMs = 150;

interface RawAnswer {
  /** 0 when the connection was closed without a word. */
  status: number;
  headers: Headers;
  body: string;
  /** Everything that came. */
  text: string;
  /** How many answers that is. */
  count: number;
}

/** Sends the bytes and collects what comes back, until the other side closes or has answered and is at rest. */
export function sayRaw(url: string, ...pieces: (string | Uint8Array)[]): Promise<RawAnswer> {
  return sayAll(url, 1, pieces);
}

/** The same, where so many answers are to come. */
export function sayAll(
  url: string,
  answers: number,
  pieces: readonly (string | Uint8Array)[],
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const isHead = String(pieces[0]).startsWith("HEAD ");
    const socket = connect(Number(port), hostname);
    const finish = () => {
      clearTimeout(timer);
      clearTimeout(rest);
      socket.destroy();
      resolve(readAnswer(Buffer.concat(chunks).toString("latin1")));
    };
    const timer = setTimeout(finish, patienceMs);
    let rest: ReturnType<typeof setTimeout> | undefined;
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(rest);
      const text = Buffer.concat(chunks).toString("latin1");
      if (countOf(text) >= answers && isWhole(text, isHead)) rest = setTimeout(finish, restMs);
    });
    socket.on("close", finish);
    socket.on("error", () => {});
    for (const piece of pieces) socket.write(piece);
  });
}

/** A request as text; `lines` are header lines besides Host. */
export function request(method: string, path: string, lines: readonly string[] = [], body = ""): string {
  return [`${method} ${path} HTTP/1.1`, "Host: hearth.example", ...lines, "", body].join("\r\n");
}

/** Whether it ends where an answer does, as far as answers say how long they are. */
function isWhole(text: string, isHead: boolean): boolean {
  const end = text.indexOf("\r\n\r\n") + 4;
  if (end < 4) return false;
  const head = text.slice(0, end);
  // Frames follow.
  if (head.startsWith("HTTP/1.1 101")) return true;
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  const isChunked = /^transfer-encoding: *chunked/im.test(head);
  const hasNone = isHead || /^HTTP\/1\.1 (1\d\d|204|304)/.test(head);
  const after = () => (isChunked ? text.indexOf("\r\n0\r\n\r\n", end - 2) + 7 : end + Number(length ?? 0));
  const next = hasNone ? end : after();
  if (next < end) return false;
  return text.length <= next ? text.length === next : isWhole(text.slice(next), isHead);
}

function readAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0),
    headers,
    body: rest.join("\r\n\r\n"),
    text,
    count: countOf(text),
  };
}

function countOf(text: string): number {
  return [...text.matchAll(/^HTTP\/1\.[01] \d{3}/gm)].length;
}
