// A connection to a host, for one request at a time, with every received byte counted.
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Answer, BadAnswer } from "./answer.ts";
import { type AnswerBounds, AnswerReader } from "./answer-reader.ts";

interface Route {
  host: string;
  port: number;
  ca?: string;
}

export interface Exchange {
  head: Buffer;
  /** The head must declare its length. A blob is sent piece by piece. */
  body?: Uint8Array | Blob | undefined;
  /**
   * Set when the head says that the body waits for "100 Continue". Called when the host has been silent for a second,
   * as many hosts are: then the body is sent anyway.
   */
  unheard?: (() => void) | undefined;
  bounds: AnswerBounds;
  /** The most bytes from the socket, those of TLS and of framing included. */
  mostBytes: number;
  ending: AbortSignal;
}

/** How often a connection without data to read is checked, in milliseconds: TLS has endless messages of its own. */
const lookMs = 100;

/** How long a body waits for "100 Continue", in milliseconds. */
const wordMs = 1000;

/** The current request. */
interface UnderWay {
  reader: AnswerReader;
  /** The most that the count of the socket's bytes may reach. */
  most: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export class Connection {
  readonly #bare: Socket;
  /** The socket itself when there is no TLS. */
  readonly #socket: Socket;
  readonly #opening: Promise<unknown>;
  #underWay: UnderWay | undefined;
  #isSent = false;
  #isFree = false;
  /** Called when the host has sent something, or nothing more is to be expected. */
  #heard = () => {};

  /** `certified` is the name that the certificate must have; undefined without TLS. */
  constructor({ host, port, ca }: Route, certified: string | undefined) {
    this.#bare = connect({ host, port });
    // TLS over a socket of ours: the count of its bytes is that of the wire, and destroying it closes it at any stage.
    this.#socket = certified === undefined ? this.#bare : encrypted(this.#bare, certified, ca);
    this.#opening = new Promise((opened) =>
      this.#socket.once(certified === undefined ? "connect" : "secureConnect", opened),
    );
    for (const each of new Set([this.#bare, this.#socket])) {
      each.on("error", (error) => this.#fail(error));
      each.on("close", () => this.#fail(new BadAnswer("closed without an answer")));
    }
    this.#socket.on("data", (bytes: Buffer) => this.#take((reader) => reader.take(bytes)));
    this.#socket.on("end", () => this.#take((reader) => reader.end()));
  }

  /** True if another request may follow. */
  get isFree(): boolean {
    return this.#isFree;
  }

  /** Resolves with the answer. Unless another request may follow, the connection is closed before this settles. */
  async exchange(given: Exchange): Promise<Answer> {
    const { bounds, mostBytes, ending } = given;
    const { promise: answered, resolve, reject } = Promise.withResolvers<Answer>();
    const giveUp = () => this.#fail(ending.reason);
    this.#isFree = false;
    this.#isSent = false;
    this.#underWay = {
      ...{ reader: new AnswerReader(bounds), resolve, reject },
      most: this.#bare.bytesRead + mostBytes,
    };
    const look = setInterval(() => this.#count(), lookMs);
    ending.addEventListener("abort", giveUp, { once: true });
    if (ending.aborted) giveUp();
    this.#send(given).catch((error) => this.#fail(error));
    try {
      return await answered;
    } finally {
      clearInterval(look);
      ending.removeEventListener("abort", giveUp);
    }
  }

  /** Lets the process end while the connection is idle. */
  rest(): void {
    this.#bare.unref();
  }

  wake(): void {
    this.#bare.ref();
  }

  close(): void {
    this.#isFree = false;
    this.#socket.destroy();
    this.#bare.destroy();
  }

  async #send({ head, body, unheard, ending }: Exchange): Promise<void> {
    await this.#opening;
    if (ending.aborted) return;
    if (unheard && body instanceof Blob) {
      this.#socket.write(head);
      if (await this.#wantsBody(unheard)) await this.#sendPieces(Buffer.alloc(0), body, ending);
      else return;
    } else if (body instanceof Blob && body.size > 0) await this.#sendPieces(head, body, ending);
    else this.#socket.write(body instanceof Uint8Array ? Buffer.concat([head, body]) : head);
    this.#isSent = true;
  }

  /** Without "100 Continue", a host that refuses closes while the body is being sent, and its answer is lost. */
  async #wantsBody(unheard: () => void): Promise<boolean> {
    const { reader } = this.#underWay ?? {};
    const { promise: isSilent, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(true), wordMs);
    this.#heard = () => {
      if (!this.#underWay || reader?.wantsBody !== undefined) resolve(false);
    };
    this.#heard();
    if (await isSilent) unheard();
    clearTimeout(timer);
    return this.#underWay !== undefined && reader?.wantsBody !== false;
  }

  async #sendPieces(head: Buffer, body: Blob, ending: AbortSignal): Promise<void> {
    let left = body.size;
    for await (const piece of body.stream() as unknown as AsyncIterable<Uint8Array>) {
      const isFirst = left === body.size;
      left -= piece.length;
      const hasRoom = this.#socket.write(isFirst ? Buffer.concat([head, piece]) : piece);
      // The answer may be there before the stream reports its end.
      if (left === 0) return;
      if (!hasRoom) await once(this.#socket, "drain", { signal: ending });
    }
  }

  /** Passes received data to the reader. After the answer's end, and after the first error, nothing more is read. */
  #take(step: (reader: AnswerReader) => Answer | undefined): void {
    try {
      this.#count();
      const answer = this.#underWay && step(this.#underWay.reader);
      // Data without a request is no answer.
      if (!this.#underWay) this.close();
      else if (answer) this.#finish(this.#underWay, answer);
      this.#heard();
    } catch (error) {
      this.#fail(error);
    }
  }

  #finish({ reader, resolve }: UnderWay, answer: Answer): void {
    this.#underWay = undefined;
    this.#isFree = this.#isSent && reader.leavesOpen;
    // At once, before the promise is handled: more bytes may already be there.
    if (!this.#isFree) this.close();
    resolve(answer);
  }

  #count(): void {
    if (this.#underWay && this.#bare.bytesRead > this.#underWay.most)
      this.#fail(new BadAnswer("too many bytes"));
  }

  #fail(error: unknown): void {
    const failed = this.#underWay;
    this.#underWay = undefined;
    this.close();
    this.#heard();
    failed?.reject(error);
  }
}

function encrypted(bare: Socket, certified: string, ca: string | undefined): Socket {
  // An IP address cannot be a server name, but the certificate has to cover it.
  const name = isIP(certified) ? { host: certified } : { servername: certified };
  return connectTls({ socket: bare, ...name, ...(ca && { ca }), ALPNProtocols: ["http/1.1"] });
}
