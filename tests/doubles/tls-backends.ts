// A double of misbehaving TLS services, one address for each misdeed.
import { connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { rightCertificate, type TlsMisdeed, type Words } from "./tls-misdeeds.ts";

interface Manners {
  words: Words;
  /** Calls `begin` when it is the service's turn to speak through TLS. */
  heard(socket: Socket, begin: () => void): void;
  /** Speaks on the connection before TLS; `then` begins TLS. */
  before?(wire: Socket, then: () => void): void;
}

export class TlsBackends implements Disposable {
  readonly #sockets = new Set<Socket>();
  readonly #servers: Server[] = [];

  /** Starts one more service and returns its port. */
  async listen({ what, shows, carry, say }: TlsMisdeed, { words, heard, before }: Manners): Promise<number> {
    const wires = new Map<number, Socket>();
    const inner = createTlsServer(shows ?? rightCertificate, (socket: TLSSocket) => {
      const wire = wires.get(socket.remotePort ?? 0);
      if (!wire) throw new Error(`${what}: nobody asked`);
      this.#keep(socket);
      wire.on("close", () => socket.destroy());
      heard(socket, () => say?.(socket, wire, words));
    });
    inner.on("tlsClientError", () => {});
    const innerPort = await this.#open(inner);
    const outer = createServer((wire) => {
      this.#keep(wire);
      const begin = () => {
        const encrypted = this.#keep(connect(innerPort, "127.0.0.1"));
        encrypted.on("connect", () => {
          wires.set(encrypted.localPort ?? 0, wire);
          wire.pipe(encrypted);
        });
        wire.on("close", () => encrypted.destroy());
        if (carry) carry(encrypted, wire);
        else encrypted.pipe(wire);
      };
      if (before) before(wire, begin);
      else begin();
    });
    return this.#open(outer);
  }

  /** Number of open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) server.close();
  }

  #keep<T extends Socket>(socket: T): T {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    return socket;
  }

  async #open(server: Server): Promise<number> {
    this.#servers.push(server);
    await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
    return (server.address() as { port: number }).port;
  }
}
