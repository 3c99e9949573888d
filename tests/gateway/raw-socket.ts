// A hand-made WebSocket client: for headers that browsers set, invalid frames, and slow reading.
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";

interface UpgradeAnswer {
  status: number;
  headers: Headers;
  body: string;
}

const patienceMs = 180_000;

export class RawSocket {
  readonly wire: Socket;
  readonly answer: UpgradeAnswer;
  /** Text frames in order of arrival. */
  readonly texts: string[] = [];
  /** The code of the close frame; undefined while open, 1006 when the connection went without one. */
  closeCode: number | undefined;
  answersPings = true;
  #rest: Buffer;
  #wake: () => void = () => {};

  private constructor(wire: Socket, answer: UpgradeAnswer, rest: Buffer) {
    this.wire = wire;
    this.answer = answer;
    this.#rest = rest;
    wire.on("data", (chunk) => this.#take(chunk as Buffer));
    wire.on("close", () => {
      this.closeCode ??= 1006;
      this.#wake();
    });
    wire.on("error", () => {});
    this.#take(Buffer.alloc(0));
  }

  /** Requests the upgrade, and resolves with any answer. */
  static open(url: string, headers: Record<string, string> = {}, path = "/ws"): Promise<RawSocket> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const wire = connect(Number(port), hostname);
      const asked = [
        `GET ${path} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ];
      wire.write(`${asked.join("\r\n")}\r\n\r\n`);
      let got = Buffer.alloc(0);
      wire.once("error", reject);
      const gather = (chunk: Buffer) => {
        got = Buffer.concat([got, chunk]);
        const end = got.indexOf("\r\n\r\n");
        if (end < 0) return;
        const [status = "", ...lines] = got.subarray(0, end).toString().split("\r\n");
        const answer: UpgradeAnswer = {
          status: Number(status.split(" ")[1]),
          headers: new Headers(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string])),
          body: "",
        };
        const rest = got.subarray(end + 4);
        const length = Number(answer.headers.get("content-length") ?? 0);
        if (answer.status !== 101 && rest.length < length) return;
        wire.off("data", gather);
        wire.off("error", reject);
        if (answer.status === 101) return resolve(new RawSocket(wire, answer, rest));
        answer.body = rest.toString();
        wire.destroy();
        resolve(new RawSocket(wire, answer, Buffer.alloc(0)));
      };
      wire.on("data", gather);
    });
  }

  say(type: string, data: unknown = {}): void {
    this.send(1, Buffer.from(JSON.stringify({ type, data })));
  }

  /** Sends one frame. Opcodes: 1 text, 2 binary, 0 continuation, 8 close, 9 ping, 10 pong. */
  send(opcode: number, payload: Buffer, isLast = true): void {
    const length =
      payload.length < 126
        ? Buffer.from([0x80 | payload.length])
        : payload.length < 65_536
          ? Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 255])
          : Buffer.from([0x80 | 127, 0, 0, 0, 0, ...uint32(payload.length)]);
    // A mask of zeros is valid.
    this.wire.write(
      Buffer.concat([Buffer.from([(isLast ? 0x80 : 0) | opcode]), length, Buffer.alloc(4), payload]),
    );
  }

  /** Waits until the texts so far satisfy the condition. */
  async until(fits: (texts: readonly string[]) => boolean, patience = patienceMs): Promise<void> {
    const end = Date.now() + patience;
    while (!fits(this.texts)) {
      if (this.closeCode !== undefined) throw new Error(`closed with ${this.closeCode} meanwhile`);
      await this.#next(end, "not heard in time");
    }
  }

  async closed(patience = patienceMs): Promise<number> {
    const end = Date.now() + patience;
    while (this.closeCode === undefined) await this.#next(end, "not closed in time");
    return this.closeCode;
  }

  /** From now on reads this many bytes, pauses, and so on. */
  readInBursts(bytes: number, restMs: number): void {
    let left = bytes;
    this.wire.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left > 0) return;
      left = bytes;
      this.wire.pause();
      setTimeout(() => this.wire.resume(), restMs);
    });
  }

  end(): void {
    this.wire.destroy();
  }

  #next(end: number, otherwise: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(otherwise)), Math.max(0, end - Date.now()));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (;;) {
      const rest = this.#rest.subarray(at);
      if (rest.length < 2) break;
      const short = (rest[1] ?? 0) & 127;
      const start = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (rest.length < start) break;
      const length = short === 126 ? rest.readUInt16BE(2) : short === 127 ? rest.readUInt32BE(6) : short;
      if (rest.length < start + length) break;
      this.#heard((rest[0] ?? 0) & 15, rest.subarray(start, start + length));
      at += start + length;
    }
    this.#rest = this.#rest.subarray(at);
    this.#wake();
  }

  #heard(opcode: number, payload: Buffer): void {
    if (opcode === 1) this.texts.push(payload.toString());
    if (opcode === 8) this.closeCode = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
    if (opcode === 9 && this.answersPings) this.send(10, payload);
  }
}

function uint32(value: number): number[] {
  return [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}
