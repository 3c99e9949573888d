// A double of misbehaving hosts, one for each misdeed, by http and https, beside one that answers properly.
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Network, network } from "../../server/outbound/network.ts";
import type { TestHouse } from "../house/open/engines.ts";
import { png } from "../house/scenes/files.ts";
import { certificate, key } from "./misbehaving-certificate.ts";
import { type Misdeed, misdeeds } from "./misdeeds.ts";

const domain = "misbehaving.example";
const good = `good.${domain}`;
const goodAddress = "93.184.216.34";

/** `m7.misbehaving.example` and its address belong to the misdeed with index 7. */
export function hostOf(misdeed: Misdeed): string {
  return `m${misdeeds.indexOf(misdeed)}.${domain}`;
}

/** Ports of the hosts; a misdeed that begins below TLS has a port of its own. */
interface HostPorts {
  plain: number;
  encrypted: number;
  bare: (number | undefined | null)[];
}

/** A network that consists of these hosts; `patienceMs` shortens the timeout of requests. */
export function networkOf({ plain, encrypted, bare }: HostPorts, patienceMs?: number): Network {
  return {
    lookup: async (name) => {
      const index = /^m(\d+)\./.exec(name)?.[1];
      return [index === undefined ? goodAddress : `93.184.217.${index}`];
    },
    route: (address, port) => {
      const index = /^93\.184\.217\.(\d+)$/.exec(address)?.[1];
      const own = index === undefined ? undefined : bare[Number(index)];
      return { host: "127.0.0.1", port: own ?? (port === 443 ? encrypted : plain), ca: certificate };
    },
    ...(patienceMs !== undefined && { patienceMs }),
  };
}

export class MisbehavingHosts {
  /** The good host, which answers a GET with 200 and a POST with 201. */
  readonly goodUrl = `http://${good}`;
  readonly goodHost = good;
  /** Number of requests that the good host got. */
  goodRequests = 0;
  readonly #sockets = new Set<Socket>();
  readonly #servers: Server[] = [];
  readonly #plain = this.#listening(createServer((socket) => this.#answer(socket)));
  readonly #encrypted = this.#listening(
    createTlsServer({ key, cert: certificate }, (socket) => this.#answer(socket)),
  );
  readonly #bare = misdeeds.map((misdeed) =>
    misdeed.isBare
      ? this.#listening(
          createServer((socket) => {
            this.#kept(socket).resume();
            misdeed.do(socket);
          }),
        )
      : undefined,
  );

  static async open(): Promise<MisbehavingHosts> {
    const hosts = new MisbehavingHosts();
    for (const server of hosts.#servers)
      await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
    return hosts;
  }

  get ports(): HostPorts {
    const bare = this.#bare.map((server) => server && portOf(server));
    return { plain: portOf(this.#plain), encrypted: portOf(this.#encrypted), bare };
  }

  network(patienceMs?: number): Network {
    return networkOf(this.ports, patienceMs);
  }

  serve(house: TestHouse, patienceMs?: number): void {
    for (const running of house.all) network(running.house).current = this.network(patienceMs);
  }

  /** Number of open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) server.close();
  }

  #listening(server: Server): Server {
    this.#servers.push(server);
    return server;
  }

  #kept(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    return socket;
  }

  #answer(socket: Socket): void {
    let head = "";
    this.#kept(socket).on("data", (bytes) => {
      if (head.includes("\r\n\r\n")) return;
      head += bytes.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      const index = new RegExp(`^host: m(\\d+)\\.${domain}`, "im").exec(head)?.[1];
      if (index === undefined) this.#behave(socket, head);
      else misdeeds[Number(index)]?.do(socket);
    });
  }

  #behave(socket: Socket, head: string): void {
    this.goodRequests++;
    if (head.startsWith("POST")) socket.end("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
    else {
      socket.write(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: ${png.length}\r\n\r\n`);
      socket.end(png);
    }
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the host does not listen");
  return address.port;
}
