// HTTP over a bare TCP connection, for requests that no well-behaved client would send.
import { connect, type Socket } from "node:net";

const patienceMs = 120_000;

interface RawAnswer {
  /** 0 if the connection was closed without an answer. */
  status: number;
  headers: Headers;
  body: string;
  /** Everything that was received. */
  text: string;
  /** The number of answers in `text`. */
  count: number;
}

/** Sends the bytes and reads until one complete answer has arrived or the server closes. */
export function sayRaw(url: string, ...pieces: (string | Uint8Array)[]): Promise<RawAnswer> {
  return sayAll(url, 1, pieces);
}

/** Like `sayRaw`, but reads until this many answers have arrived. */
export async function sayAll(
  url: string,
  answers: number,
  pieces: readonly (string | Uint8Array)[],
): Promise<RawAnswer> {
  const isHead = String(pieces[0]).startsWith("HEAD ");
  const text = await exchanged(url, pieces, (text, socket) => {
    const { statuses, isWhole } = answersIn(text, isHead);
    if (statuses.length >= answers && isWhole) socket.destroy();
  });
  return readAnswer(text, isHead);
}

/** Its status, 404, distinguishes its answer from those to earlier requests. */
const lastRequest = request("GET", "/nothing-more", ["Connection: close"]);

/**
 * Like `sayRaw`, but reads until the server closes, and counts all answers. If the server leaves the connection open,
 * a last request closes it: by then every earlier request has been answered, or never will be.
 */
export async function sayToTheEnd(url: string, text: string): Promise<RawAnswer> {
  const isHead = text.startsWith("HEAD ");
  let isLast = false;
  const came = await exchanged(url, [text], (came, socket) => {
    if (isLast || !answersIn(came, isHead).isWhole) return;
    isLast = true;
    socket.write(lastRequest);
  });
  const answer = readAnswer(came, isHead);
  const isToLast = isLast && answer.count > 1 && answersIn(came, isHead).statuses.at(-1) === 404;
  return { ...answer, count: answer.count - (isToLast ? 1 : 0) };
}

/** Resolves to all that was received once the connection is closed; `heard` gets the text so far after each chunk. */
function exchanged(
  url: string,
  pieces: readonly (string | Uint8Array)[],
  heard: (text: string, socket: Socket) => void,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`neither answered nor closed; what came: ${text.slice(0, 500)}`));
    }, patienceMs);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      heard(text, socket);
    });
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.on("error", () => {});
    for (const piece of pieces) socket.write(piece);
  });
}

/** A request as text; `lines` are header lines in addition to Host. */
export function request(method: string, path: string, lines: readonly string[] = [], body = ""): string {
  return [`${method} ${path} HTTP/1.1`, "Host: hearth.example", ...lines, "", body].join("\r\n");
}

/** The statuses of the answers in a text, and whether the last one is complete, as far as it states its length. */
function answersIn(text: string, isHead: boolean): { statuses: number[]; isWhole: boolean } {
  const statuses: number[] = [];
  for (let at = 0; ; ) {
    // The next answer follows the previous body immediately, on the same line.
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text.slice(at, at + 12))?.[1] ?? 0);
    if (status === 0) return { statuses, isWhole: statuses.length > 0 && at === text.length };
    statuses.push(status);
    const end = endOf(text, at, status, isHead);
    // After 101 the connection carries frames, not HTTP.
    if (end === undefined || status === 101) return { statuses, isWhole: end !== undefined };
    at = end;
  }
}

/** The end of the answer that begins at `at`; undefined while it is incomplete. */
function endOf(text: string, at: number, status: number, isHead: boolean): number | undefined {
  const body = text.indexOf("\r\n\r\n", at) + 4;
  if (body < at + 4) return undefined;
  if (isHead || status < 200 || status === 204 || status === 304) return body;
  const head = text.slice(at, body);
  const isChunked = /^transfer-encoding: *chunked/im.test(head);
  const chunksEnd = text.indexOf("\r\n0\r\n\r\n", body - 2) + 7;
  if (isChunked) return chunksEnd < body ? undefined : chunksEnd;
  const end = body + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  return end <= text.length ? end : undefined;
}

function readAnswer(text: string, isHead: boolean): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const lines = head.split("\r\n").slice(1);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const { statuses } = answersIn(text, isHead);
  return {
    status: statuses[0] ?? 0,
    headers,
    body: rest.join("\r\n\r\n"),
    text,
    count: statuses.length,
  };
}
