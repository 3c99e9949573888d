// Bare TCP to the port: for what no well-behaved client would send.
import { connect } from "node:net";

const patienceMs = 5000;

export interface RawAnswer {
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
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
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
      rest = setTimeout(finish, 150);
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
    count: [...text.matchAll(/^HTTP\/1\.[01] \d{3}/gm)].length,
  };
}
