// A proxy before a PostgreSQL that can keep connections open after the database has closed them.
import { connect, createServer, type Server, type Socket } from "node:net";

export class LateNews {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  /** Clients' ends of connections that the database has closed; undefined while such ends are closed at once. */
  #unaware: Socket[] | undefined;

  private constructor(url: string, server: Server, sockets: Set<Socket>) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
  }

  /** `url`: the address of the database. */
  static async to(url: string): Promise<LateNews> {
    const { hostname, port } = new URL(url);
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect(Number(port), hostname);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on("data", (bytes) => to.write(bytes));
        from.on("error", () => {});
      }
      near.on("close", () => far.destroy()).on("end", () => far.destroy());
      far.on("close", () => way.#ended(near));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    const near = new URL(url);
    near.hostname = "127.0.0.1";
    near.port = String(address.port);
    const way = new LateNews(near.href, server, sockets);
    return way;
  }

  /** From now on a client's connection stays open after PostgreSQL has closed it. */
  keepOpen(): void {
    this.#unaware = [];
  }

  /** Closes the connections that were kept open; further ones are closed at once. */
  tellEnds(): void {
    for (const near of this.#unaware ?? []) near.destroy();
    this.#unaware = undefined;
  }

  #ended(near: Socket): void {
    if (this.#unaware) this.#unaware.push(near);
    else near.destroy();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
