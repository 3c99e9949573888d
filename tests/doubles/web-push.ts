// A double of a push service (RFC 8030) and its browsers: verifies VAPID (RFC 8292) and decrypts (RFC 8291).
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { type Network, network } from "../../server/outbound/network.ts";
import type { TestHouse } from "../house/open/engines.ts";
import { certificate, key } from "./push-certificate.ts";

/** An answer to a push, used one after the other; by default 201. */
export type Manner = { status: number; headers?: Record<string, string> } | "silence" | "drip" | "flood";

interface Received {
  path: string;
  headers: IncomingMessage["headers"];
  /** The decrypted notice; undefined for a browser that is not known here. */
  notice: Record<string, unknown> | undefined;
  vapid: { aud: string; sub: string; exp: number; key: string };
  bytes: number;
}

export class PushService {
  readonly #server: Server;
  readonly #browsers = new Map<string, Browser>();
  readonly received: Received[] = [];
  readonly #manners = new Map<string, Manner[]>();
  /** Addresses of its names, for the resolver's double. */
  readonly names = new Map<string, string[]>([["push.example", ["93.184.216.34"]]]);
  /** Addresses that were connected to, after all checks. */
  readonly reached: string[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<PushService> {
    const server = createServer({ key, cert: certificate });
    const service = new PushService(server);
    server.on("request", (request, response) => service.#take(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  /** For a house that is a child process. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Number of open connections to it. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  /**
   * Lets a house reach this service in place of the internet; the house's own checks stay in force. The timeout of a
   * push is longer than a server's, as a push that times out on a busy machine comes twice; `{}`: the same as a
   * server's.
   */
  serve(house: TestHouse, time: Pick<Network, "patienceMs"> = { patienceMs: 60_000 }): void {
    const { port } = this;
    const current: Network = {
      lookup: async (name) => this.names.get(name) ?? Promise.reject(new Error("ENOTFOUND")),
      route: (address) => {
        this.reached.push(address);
        return { host: "127.0.0.1", port, ca: certificate };
      },
      ...time,
    };
    for (const running of house.all) network(running.house).current = current;
  }

  browser(host = "push.example"): Browser {
    const browser = new Browser(`https://${host}/send/${randomBytes(12).toString("base64url")}`);
    this.#browsers.set(new URL(browser.endpoint).pathname, browser);
    return browser;
  }

  /** The decrypted notices of a browser, oldest first. */
  notices(browser: Browser): Record<string, unknown>[] {
    return this.at(browser).flatMap(({ notice }) => (notice ? [notice] : []));
  }

  at(browser: Browser): Received[] {
    return this.received.filter(({ path }) => path === new URL(browser.endpoint).pathname);
  }

  /** Sets the answers to the next pushes to this browser. */
  behave(browser: Browser, ...manners: Manner[]): void {
    this.#manners.set(new URL(browser.endpoint).pathname, manners);
  }

  failNext(browser: Browser): void {
    this.behave(browser, { status: 503 });
  }

  /** Closes all connections, whatever their answers would be. */
  hangUp(): void {
    this.#server.closeAllConnections();
  }

  close(): void {
    this.hangUp();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The client gave up before the end of its request.
      return;
    }
    const body = Buffer.concat(chunks);
    const path = request.url ?? "";
    const browser = this.#browsers.get(path);
    this.received.push({
      path,
      headers: request.headers,
      notice: browser && JSON.parse(browser.open(body)),
      vapid: checkVapid(request.headers.authorization ?? ""),
      bytes: body.length,
    });
    this.#answer(this.#manners.get(path)?.shift() ?? { status: 201 }, response);
  }

  #answer(manner: Manner, response: ServerResponse): void {
    if (manner === "silence") return;
    if (manner === "drip") {
      const timer = setInterval(() => response.write("."), 200);
      response.on("close", () => clearInterval(timer));
      response.writeHead(500);
    } else if (manner === "flood") {
      response.writeHead(201);
      const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
      response.on("close", () => clearInterval(timer));
    } else {
      response.writeHead(manner.status, manner.headers);
      response.end();
    }
  }
}

/** A browser's half of a subscription. */
export class Browser {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly #keys: ECDH = createECDH("prime256v1");
  readonly #secret = randomBytes(16);

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    this.p256dh = this.#keys.generateKeys().toString("base64url");
    this.auth = this.#secret.toString("base64url");
  }

  get subscription() {
    return { endpoint: this.endpoint, p256dh: this.p256dh, auth: this.auth };
  }

  /** Decrypts RFC 8291 over RFC 8188, one record. Throws if it was not encrypted for this browser. */
  open(body: Buffer): string {
    const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)];
    const sender = body.subarray(21, 21 + idLength);
    const sealed = body.subarray(21 + idLength);
    const shared = this.#keys.computeSecret(sender);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#keys.getPublicKey(), sender]);
    const ikm = Buffer.from(hkdfSync("sha256", shared, this.#secret, info, 32));
    const derived = (what: string, length: number) =>
      Buffer.from(hkdfSync("sha256", ikm, salt, Buffer.from(`Content-Encoding: ${what}\0`), length));
    const cipher = createDecipheriv("aes-128-gcm", derived("aes128gcm", 16), derived("nonce", 12));
    cipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    const end = plain.lastIndexOf(2);
    if (end < 0 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("bad padding");
    return plain.subarray(0, end).toString("utf8");
  }
}

function checkVapid(authorization: string): Received["vapid"] {
  const [, token = "", publicKey = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const signer = createPublicKey({ key: jwk, format: "jwk" });
  const isTrue = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: signer, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isTrue) throw new Error("the VAPID signature is wrong");
  return { ...JSON.parse(Buffer.from(claims, "base64url").toString()), key: publicKey };
}
