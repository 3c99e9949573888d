// A double of picture hosts, by http and https: answers with the bytes that a test sets, and records requests.
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Network, network } from "../../server/outbound/network.ts";
import type { TestHouse } from "../house/open/engines.ts";
import { png } from "../house/scenes/files.ts";
import { certificate, key } from "./push-certificate.ts";

/** Handles a request, given its head. */
export type Manner = (socket: Socket, head: string) => unknown;

/** A complete answer, after which the host closes. `undefined` leaves a header out. */
export function answering(
  body: string | Uint8Array,
  headers: Record<string, string | number | undefined> = {},
  status = 200,
): Manner {
  const lines = Object.entries({ "Content-Length": Buffer.byteLength(body), ...headers })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return (socket) => {
    socket.write(`HTTP/1.1 ${status} So\r\n${lines.join("")}Connection: close\r\n\r\n`);
    socket.end(body);
  };
}

export function redirecting(location: string, status = 302): Manner {
  return answering("", { Location: location }, status);
}

/** Begins an answer, and sends a piece each `everyMs` until the client closes. */
export function trickling(start: Uint8Array, piece: Uint8Array, everyMs: number): Manner {
  return (socket) => {
    socket.write("HTTP/1.1 200 So\r\nContent-Type: image/png\r\nConnection: close\r\n\r\n");
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.on("close", () => clearInterval(timer));
  };
}

export const silence: Manner = () => {};

/** A picture that is held back until it is released. */
export function heldBack(picture = png): { manner: Manner; release(): void } {
  const waiting: (() => void)[] = [];
  return {
    manner: (socket, head) => waiting.push(() => answering(picture)(socket, head)),
    release() {
      for (const each of waiting.splice(0)) each();
    },
  };
}

const ownName = "pictures.example";

export class PictureHost {
  /** The heads of all requests in order. */
  readonly heads: string[] = [];
  /** Addresses of its names, for the resolver's double. */
  readonly names = new Map([
    [ownName, ["93.184.216.34"]],
    // The name in the certificate.
    ["push.example", ["93.184.216.34"]],
  ]);
  /** Addresses that refuse connections. */
  readonly down = new Set<string>();
  /** Addresses and ports that were connected to, after all checks. */
  readonly reached: string[] = [];
  #named = 0;
  readonly #manners = new Map<string, Manner>();
  readonly #sockets = new Set<Socket>();
  readonly #plain = createServer((socket) => this.#take(socket));
  readonly #encrypted = createTlsServer({ key, cert: certificate }, (socket) => this.#take(socket));

  static async open(): Promise<PictureHost> {
    const host = new PictureHost();
    for (const server of [host.#plain, host.#encrypted])
      await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
    return host;
  }

  /**
   * Lets a house reach this host in place of the internet; the house's own checks stay in force. `patienceMs`: the
   * timeout of a picture, in place of a server's.
   */
  serve(house: TestHouse, patienceMs?: number): void {
    const current: Network = {
      ...(patienceMs !== undefined && { patienceMs }),
      lookup: async (name) => {
        const known = this.names.get(name.endsWith(`.${ownName}`) ? ownName : name);
        return known ?? Promise.reject(new Error("ENOTFOUND"));
      },
      route: (address, port) => {
        this.reached.push(`${address}:${port}`);
        if (this.down.has(address)) return { host: "127.0.0.1", port: 9 };
        const server = port === 443 ? this.#encrypted : this.#plain;
        return { host: "127.0.0.1", port: portOf(server), ca: certificate };
      },
    };
    for (const running of house.all) network(running.house).current = current;
  }

  /** Sets the answer for this path, whatever the query. Other paths answer with a picture. */
  at(path: string, manner: Manner): string {
    this.#manners.set(path, manner);
    return `http://${ownName}${path}`;
  }

  /** The same on a new host name of its own. */
  apart(path: string, manner: Manner): string {
    this.at(path, manner);
    return `http://h${++this.#named}.${ownName}${path}`;
  }

  /** Number of requests for this path. */
  asked(path: string): number {
    return this.heads.filter((head) => pathOf(head) === path).length;
  }

  /** The http port, for a house that is a child process. */
  get port(): number {
    return portOf(this.#plain);
  }

  /** Number of open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#plain.close();
    this.#encrypted.close();
  }

  #take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    let head = "";
    socket.on("data", (chunk) => {
      if (head.includes("\r\n\r\n")) return;
      head += chunk.toString("latin1");
      // A TLS handshake on the plain port.
      if (head.startsWith("\x16")) socket.destroy();
      if (!head.includes("\r\n\r\n")) return;
      this.heads.push(head);
      const manner = this.#manners.get(pathOf(head)) ?? answering(png, { "Content-Type": "image/png" });
      manner(socket, head);
    });
  }
}

function pathOf(head: string): string {
  return /^\w+ ([^ ?]*)/.exec(head)?.[1] ?? "";
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the host does not listen");
  return address.port;
}
