// Doubles of misbehaving services that the operator names: one address for each misdeed, beside one that behaves.
import { createServer, type Server, type Socket } from "node:net";
import { type Misdeed, misdeeds } from "./misdeeds.ts";

export interface Backend {
  what: string;
  port: number;
  url: string;
}

export class MisbehavingBackends {
  readonly #sockets = new Map<Socket, string>();
  readonly #servers: Server[] = [];
  readonly services: Backend[] = [];

  /** With `speaksFirst` each misdeed starts at once on connecting, as a mail server's greeting does. */
  static async open(given: readonly Misdeed[] = misdeeds, speaksFirst = false): Promise<MisbehavingBackends> {
    const opened = new MisbehavingBackends();
    for (const misdeed of given) {
      const port = await opened.listen(misdeed.what, (socket) => {
        if (speaksFirst || misdeed.isBare) {
          socket.resume();
          misdeed.do(socket);
        } else afterHead(socket, () => misdeed.do(socket));
      });
      opened.services.push({ what: misdeed.what, port, url: `http://127.0.0.1:${port}` });
    }
    return opened;
  }

  /** Starts one more service and returns its port. */
  async listen(what: string, answer: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      this.#sockets.set(socket, what);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
      answer(socket);
    });
    this.#servers.push(server);
    await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
    return (server.address() as { port: number }).port;
  }

  /** The misdeeds of the services that have a connection open. */
  get open(): string[] {
    return [...new Set(this.#sockets.values())];
  }

  close(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
    for (const server of this.#servers) server.close();
  }
}

/** Calls `begin` once, with the head of the first request. */
export function afterHead(socket: Socket, begin: (head: string) => void): void {
  let head = "";
  socket.on("data", (bytes) => {
    if (head.includes("\r\n\r\n")) return;
    head += bytes.toString("latin1");
    if (head.includes("\r\n\r\n")) begin(head);
  });
}
