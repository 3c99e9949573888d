// Ways in which a TLS service can misbehave: in the handshake, by its certificate, in the encrypted data, at the end.
import type { Socket } from "node:net";
import { certificate as untrusted, key as untrustedKey } from "./push-certificate.ts";
import { certificate, expired, key, ofAnother } from "./tls-certificates.ts";

/** Texts of the protocol inside TLS. */
export interface Words {
  /** Begins an answer that is to go on. */
  begin: string;
  /** Begins an answer of unlimited length. */
  open: string;
  /** May follow any number of times. */
  again: string;
}

export const wordsOfHttp: Words = {
  begin: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx",
  open: "HTTP/1.1 200 OK\r\n\r\n",
  again: "x".repeat(16 * 1024),
};

export const wordsOfMail: Words = {
  begin: "220-mail.example\r\n",
  open: "220-mail.example",
  again: "\r\n220-mail.example".repeat(1000),
};

export interface TlsMisdeed {
  what: string;
  shows?: { key: string; cert: string };
  /** Forwards TLS's bytes to the connection. By default it forwards all of them. */
  carry?(encrypted: Socket, wire: Socket): void;
  /** Speaks through TLS; `wire` is the connection below. */
  say?(socket: Socket, wire: Socket, words: Words): void;
}

/** Bytes; fewer than a server's first message. */
const inHandshake = 60;

/** Forwards `inHandshake` bytes, and then calls `then`. */
const cut = (then: (wire: Socket) => void) => (encrypted: Socket, wire: Socket) => {
  let left = inHandshake;
  encrypted.on("data", (bytes: Buffer) => {
    if (left === 0) return;
    const some = bytes.subarray(0, left);
    left -= some.length;
    wire.write(some);
    if (left === 0) then(wire);
  });
};

const repeating = (bytes: Uint8Array | string, everyMs: number) => (wire: Socket) => {
  const timer = setInterval(() => wire.write(bytes), everyMs);
  wire.on("close", () => clearInterval(timer));
};

/** Sends the bytes repeatedly, as fast as they are read. */
const flooding = (bytes: Uint8Array | string) => (wire: Socket) => {
  const more = () => {
    while (wire.writable && wire.write(bytes));
  };
  wire.on("drain", more);
  more();
};

function byteByByte(encrypted: Socket, wire: Socket): void {
  const waiting: number[] = [];
  encrypted.on("data", (bytes: Buffer) => waiting.push(...bytes));
  const timer = setInterval(() => {
    const next = waiting.shift();
    if (next !== undefined) wire.write(Buffer.from([next]));
  }, 30);
  wire.on("close", () => clearInterval(timer));
}

/** Sends the beginning of an answer, and calls `then` with the connection soon after. */
const begun = (then: (wire: Socket) => void) => (socket: Socket, wire: Socket, words: Words) => {
  socket.write(words.begin);
  setTimeout(() => then(wire), 50);
};

/** A change_cipher_spec record, which TLS 1.3 ignores. */
const change = Buffer.from("140303000101", "hex");
const alert = Buffer.from("15030300020228", "hex");
/** The header of a record of 16 KiB. */
const record = Buffer.from("1703034000", "hex");
const junk = Buffer.alloc(16 * 1024, 0xaa);

export const tlsMisdeeds: readonly TlsMisdeed[] = [
  { what: "silence in the handshake", carry: cut(() => {}) },
  { what: "a handshake byte by byte", carry: byteByByte },
  { what: "reset in the handshake", carry: cut((wire) => wire.resetAndDestroy()) },
  { what: "closed in the handshake", carry: cut((wire) => wire.end()) },
  { what: "junk in the handshake", carry: cut(flooding(junk)) },
  { what: "an alert in place of a handshake", carry: (_, wire) => wire.write(alert) },
  {
    what: "changes of the cipher without end",
    carry: (_, wire) => flooding(Buffer.concat(Array(500).fill(change)))(wire),
  },
  { what: "changes of the cipher, slowly", carry: (_, wire) => repeating(change, 100)(wire) },
  { what: "half a record in place of a handshake", carry: (_, wire) => wire.write(record) },
  { what: "the certificate of another name", shows: { key, cert: ofAnother } },
  { what: "an expired certificate", shows: { key, cert: expired } },
  { what: "a certificate signed by itself", shows: { key: untrustedKey, cert: untrusted } },
  { what: "silence within TLS", say: () => {} },
  {
    what: "a byte at a time within TLS",
    say: (socket, _, { open }) => {
      socket.write(open);
      repeating("x", 30)(socket);
    },
  },
  {
    what: "more without end within TLS",
    say: (socket, _, { open, again }) => {
      socket.write(open);
      flooding(again)(socket);
    },
  },
  { what: "reset within an answer", say: begun((wire) => wire.resetAndDestroy()) },
  { what: "closed within an answer, without close_notify", say: begun((wire) => wire.end()) },
  { what: "half a record within an answer", say: begun((wire) => wire.write(record)) },
  { what: "junk in place of a record", say: begun((wire) => wire.write(Buffer.concat([record, junk]))) },
  { what: "plain text in place of a record", say: begun((wire) => wire.write("HTTP/1.1 200 OK\r\n\r\n")) },
];

export const rightCertificate = { key, cert: certificate };
