// Ways in which a host can misbehave: before TLS, in the head of an answer, its framing, its body, or by silence.

import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { png } from "../house/scenes/files.ts";

export interface Misdeed {
  what: string;
  /** Begins on connecting, below TLS, without waiting for a request. */
  isBare?: boolean;
  do(socket: Socket): void;
}

const status = "HTTP/1.1 200 OK\r\n";
const end = "\r\n";
const interim = "HTTP/1.1 100 Continue\r\n\r\n";
const early = `HTTP/1.1 103 Early Hints\r\n${Array.from({ length: 40 }, (_, i) => `Link: </${i}.css>; rel=preload; as=style\r\n`).join("")}\r\n`;
const chunked = `${status}Transfer-Encoding: chunked\r\n\r\n`;
const much = "x".repeat(16 * 1024);

/** Sends these pieces, and nothing after them. */
const saying =
  (...pieces: (string | Uint8Array)[]) =>
  (socket: Socket) => {
    for (const piece of pieces) socket.write(piece);
  };

/** Sends these pieces, and closes the connection. */
const closing =
  (...pieces: (string | Uint8Array)[]) =>
  (socket: Socket) => {
    saying(...pieces)(socket);
    socket.end();
  };

/** Sends these pieces, and resets the connection soon after. */
const resetting =
  (...pieces: (string | Uint8Array)[]) =>
  (socket: Socket) => {
    saying(...pieces)(socket);
    setTimeout(() => socket.resetAndDestroy(), 20);
  };

/** Sends `begin`, and then `again` repeatedly as fast as it is read. */
const endlessly = (begin: string | Uint8Array, again: string | Uint8Array) => (socket: Socket) => {
  let isGone = false;
  socket.on("close", () => {
    isGone = true;
  });
  const more = () => {
    while (!isGone && socket.writable && socket.write(again));
  };
  socket.on("drain", more);
  socket.write(begin);
  more();
};

/** Sends `begin`, and then `again` repeatedly and slowly. */
const dripping = (begin: string | Uint8Array, again: string | Uint8Array) => (socket: Socket) => {
  socket.write(begin);
  const timer = setInterval(() => socket.write(again), 30);
  socket.on("close", () => clearInterval(timer));
};

const nothing = () => {};
/** Reads nothing for longer than the peer's timeout; only then it notices that the peer is gone. */
const deaf = (socket: Socket) => {
  socket.pause();
  setTimeout(() => socket.resume(), 6000);
};
const times = (count: number, text: string) => Buffer.from(text.repeat(count));

const interims: Misdeed[] = [
  { what: "an upgrade", do: saying("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n") },
  { what: "an upgrade and more", do: endlessly("HTTP/1.1 101 Switching Protocols\r\n\r\n", much) },
  { what: "an upgrade, closed", do: closing("HTTP/1.1 101 Switching Protocols\r\n\r\n") },
  { what: "an upgrade after an interim answer", do: saying(interim, "HTTP/1.1 101 So\r\n\r\n") },
  { what: "100 without end", do: endlessly("", times(1000, interim)) },
  { what: "200,000 times 100 in one write", do: saying(times(200_000, interim)) },
  { what: "100 slowly without end", do: dripping("", interim) },
  { what: "103 of 40 headers without end", do: endlessly("", times(20, early)) },
  { what: "5,000 times 103 of 40 headers in one write", do: saying(times(5000, early)) },
  { what: "100, and then nothing", do: saying(interim) },
  { what: "one interim answer without end", do: endlessly("HTTP/1.1 103 So\r\n", `X: ${much}\r\n`) },
];

/** Interim answers that a count ends before the timeout does. */
export const endlessInterims: readonly Misdeed[] = interims.filter(({ what }) =>
  /without end|times/.test(what),
);

const silences: Misdeed[] = [
  { what: "silence", do: nothing },
  { what: "silence from the first moment", isBare: true, do: nothing },
  { what: "silence in the status line", do: saying("HTTP/1.1 2") },
  { what: "silence in a header", do: saying(`${status}Content-Le`) },
  { what: "silence in place of a body", do: saying(`${status}Content-Length: 100\r\n\r\n`) },
  {
    what: "silence in a body",
    do: saying(`${status}Content-Length: ${png.length}\r\n\r\n`, png.subarray(0, 9)),
  },
  { what: "silence in a chunk's size", do: saying(chunked, "1") },
  { what: "silence before the last chunk", do: saying(chunked, `${png.length.toString(16)}\r\n`, png, end) },
  { what: "no ear for the request", isBare: true, do: deaf },
];

const drips: Misdeed[] = [
  { what: "a head byte by byte", do: dripping(status, "x") },
  { what: "a header at a time", do: dripping(status, "X-More: 1\r\n") },
  { what: "a body byte by byte", do: dripping(`${status}\r\n`, "x") },
  { what: "chunks byte by byte", do: dripping(chunked, "1\r\nx\r\n") },
  { what: "trailers byte by byte", do: dripping(`${chunked}0\r\n`, "x") },
];

const breaks: Misdeed[] = [
  { what: "closed at once", isBare: true, do: (socket) => socket.end() },
  { what: "destroyed at once", isBare: true, do: (socket) => socket.destroy() },
  { what: "reset at once", isBare: true, do: resetting() },
  { what: "reset in place of an answer", do: resetting() },
  { what: "reset in a head", do: resetting(status) },
  { what: "reset in a body", do: resetting(`${status}Content-Length: 100\r\n\r\n`, "x") },
  { what: "reset in a chunk", do: resetting(chunked, "ff\r\nx") },
  { what: "closed in place of an answer", do: closing() },
  { what: "closed in a head", do: closing(`${status}X: 1`) },
  { what: "closed in a body", do: closing(`${status}Content-Length: 100\r\n\r\n`, "x") },
  { what: "closed in a chunk", do: closing(chunked, "ff\r\nx") },
];

const framings: Misdeed[] = [
  {
    what: "two lengths",
    do: saying(`${status}Content-Length: 5\r\nContent-Length: ${png.length}\r\n\r\n`, png),
  },
  { what: "a negative length", do: saying(`${status}Content-Length: -1\r\n\r\n`, png) },
  { what: "a length in words", do: saying(`${status}Content-Length: many\r\n\r\n`, png) },
  {
    what: "a length beyond all numbers",
    do: saying(`${status}Content-Length: ${"9".repeat(400)}\r\n\r\n`, png),
  },
  {
    what: "a length beside chunks",
    do: saying(`${status}Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
  },
  {
    what: "a framing that nobody knows",
    do: saying(`${status}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`),
  },
  { what: "a chunk's size in words", do: saying(chunked, "many\r\n") },
  { what: "a negative chunk", do: saying(chunked, "-5\r\n", png) },
  { what: "a chunk beyond all numbers", do: saying(chunked, `${"f".repeat(64)}\r\n`, png) },
  { what: "a chunk longer than its size", do: saying(chunked, "5\r\n", png) },
  { what: "a chunk's extension without end", do: endlessly(`${chunked}5;`, much) },
  { what: "chunks of nothing but extensions", do: endlessly(chunked, `1;${much}\r\nx\r\n`) },
  { what: "chunks of one byte without end", do: endlessly(chunked, times(1000, "1\r\nx\r\n")) },
  { what: "trailers without end", do: endlessly(`${chunked}0\r\n`, `X: ${much}\r\n`) },
];

const heads: Misdeed[] = [
  { what: "a header without end", do: endlessly(`${status}X: `, much) },
  { what: "headers without end", do: endlessly(status, times(1000, "X-More: 1\r\n")) },
  { what: "a million headers in one write", do: saying(status, times(1_000_000, "a:\r\n")) },
  { what: "a line without end", do: endlessly("", much) },
  { what: "a header with NUL", do: saying(`${status}X: \0\r\n\r\n`) },
  { what: "a header without a name", do: saying(`${status}: 1\r\n\r\n`) },
  { what: "a folded header", do: saying(`${status}X: 1\r\n 2\r\n\r\n`) },
  { what: "a status of two digits", do: saying("HTTP/1.1 20 OK\r\n\r\n") },
  { what: "HTTP/2", do: saying("HTTP/2 200\r\n\r\n") },
  { what: "junk", do: saying(Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919 + 13) % 256))) },
  {
    what: "junk without end",
    do: endlessly("", Buffer.from(Array.from({ length: 65_536 }, (_, i) => (i * i) % 251))),
  },
  { what: "junk before TLS", isBare: true, do: endlessly("", "junk".repeat(1000)) },
  { what: "half a record of TLS", isBare: true, do: saying(Buffer.from("1603034000", "hex")) },
  { what: "an answer before the question", isBare: true, do: endlessly(`${interim}${interim}`, much) },
];

const bodies: Misdeed[] = [
  { what: "a body without end", do: endlessly(`${status}\r\n`, Buffer.alloc(65_536)) },
  {
    what: "a body without end that unfolds",
    do: endlessly(`${status}Content-Encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(1 << 20))),
  },
  { what: "an error without end", do: endlessly("HTTP/1.1 500 So\r\n\r\n", Buffer.alloc(65_536)) },
  {
    what: "a redirect to itself",
    do: closing("HTTP/1.1 302 So\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
  },
  { what: "a redirect without end", do: endlessly("HTTP/1.1 302 So\r\nLocation: /\r\n\r\n", much) },
];

const sending = (body: string) =>
  closing(`${status}Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`, body);
const listed = (entry: string, count: number) => entry.repeat(count).slice(0, -1);
const noughts = listed("0,", 500_000);
const nobodies = listed("{},", 300_000);

/** Complete answers below any byte limit that are expensive to parse: unclosed elements, countless entries. */
export const dearBodies: readonly Misdeed[] = [
  {
    what: "entries that begin and never end",
    do: sending(`<ListBucketResult>${"<Contents>".repeat(25_000)}`),
  },
  {
    what: "empty entries",
    do: sending(`<ListBucketResult>${"<Contents></Contents>".repeat(190_000)}</ListBucketResult>`),
  },
  {
    what: "an error of a word that waits for another",
    do: closing(`HTTP/1.1 403 No\r\nConnection: close\r\n\r\n<Message>${"cap ".repeat(4085)}`),
  },
  { what: "GIFs that are noughts", do: sending(`{"result":true,"data":{"data":[${noughts}]}}`) },
  { what: "people who are nobody", do: sending(`{"rooms":[${nobodies}],"participants":[${nobodies}]}`) },
  { what: "8 MiB of nobodies", do: sending(`{"participants":[${listed("{},", 2_700_000)}]}`) },
  { what: "lists within lists", do: sending("[".repeat(100_000) + "]".repeat(100_000)) },
  { what: "a list of lists within lists", do: sending("[".repeat(1_000_000)) },
];

/** All misdeeds of HTTP servers, more than forty. */
export const misdeeds: readonly Misdeed[] = [
  ...interims,
  ...silences,
  ...drips,
  ...breaks,
  ...framings,
  ...heads,
  ...bodies,
];

/** One of each kind, for the tests that run on every change. */
export const fewMisdeeds: readonly Misdeed[] = [
  "100 without end",
  "silence",
  "a head byte by byte",
  "reset in a body",
  "a chunk's size in words",
  "a header without end",
  "junk before TLS",
  "a body without end",
].map((name) => {
  const found = misdeeds.find(({ what }) => what === name);
  if (!found) throw new Error(`there is no such misdeed: ${name}`);
  return found;
});

const greeting = "220 mail.example\r\n";
const login = `${greeting}250-mail.example\r\n250 AUTH LOGIN PLAIN\r\n`;

/** Misdeeds of mail servers only: endless lines. */
export const mailMisdeeds: readonly Misdeed[] = [
  { what: "a greeting of lines without end", do: endlessly("", times(2000, "220-mail.example\r\n")) },
  { what: "empty lines without end", do: endlessly("", times(5000, end)) },
  { what: "a question without end", do: endlessly(login, times(2000, "334 x\r\n")) },
  { what: "a greeting, and then nothing", do: saying(greeting) },
  { what: "a reply letter by letter", do: dripping(`${greeting}250-`, "x") },
  { what: "a reply line by line", do: dripping(greeting, "250-x\r\n") },
  { what: "a number that is none", do: saying("2x0 mail.example\r\n") },
];
