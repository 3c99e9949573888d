// A socket in tests: keeps every frame it heard, and waits for the one that a test is about.
import { lookThroughFrame } from "./canary.ts";
import type { Loose } from "./people.ts";

export interface HeardFrame {
  type: string;
  data: Loose;
  server_id?: string;
  seq?: number;
  ts: string;
}

/** Where a connection can be taken up again: by server the last number heard, and the time of what had it. */
export interface ResumePoint {
  epoch: string;
  streams: Record<string, number>;
  seen?: Record<string, string>;
}

const patienceMs = 15_000;

export class Ear {
  readonly socket: WebSocket;
  readonly frames: HeardFrame[] = [];
  /** Settles when the socket is closed. */
  readonly closed: Promise<{ code: number; reason: string }>;
  #taken = 0;
  #wake: (() => void) | undefined;
  #indiscretion: Error | undefined;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.onmessage = (event) => {
      this.#lookThrough(String(event.data));
      this.frames.push(JSON.parse(String(event.data)));
      this.#wake?.();
    };
    this.closed = new Promise((resolve) => {
      socket.onclose = ({ code, reason }) => resolve({ code, reason });
    });
  }

  static async open(
    url: string,
    token: string | undefined,
    resume?: ResumePoint,
    headers: Record<string, string> = {},
  ): Promise<Ear> {
    const ear = await Ear.connect(url, headers);
    ear.say("AUTH", { ...(token && { token }), ...(resume && { resume }) });
    await ear.until((frame) => frame.type === "READY" || frame.type === "RESUMED");
    return ear;
  }

  /** Connected, and nothing said yet. */
  static async connect(url: string, headers: Record<string, string> = {}): Promise<Ear> {
    const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers } as never);
    const ear = new Ear(socket);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error("the upgrade was refused"));
    });
    return ear;
  }

  // An error thrown where frames arrive would be lost, so it is kept for whoever waits next.
  #lookThrough(text: string): void {
    try {
      lookThroughFrame(text);
    } catch (error) {
      this.#indiscretion ??= error as Error;
    }
  }

  say(type: string, data: unknown = {}): void {
    this.socket.send(JSON.stringify({ type, data }));
  }

  /** The next frame, from where the last wait ended, that fits; a number of milliseconds later it is an error. */
  async until(fits: (frame: HeardFrame) => boolean): Promise<HeardFrame> {
    // Not Date: tests set the clock.
    const end = performance.now() + patienceMs;
    for (;;) {
      if (this.#indiscretion) throw this.#indiscretion;
      for (; this.#taken < this.frames.length; this.#taken++) {
        const frame = this.frames[this.#taken];
        if (frame && fits(frame)) {
          this.#taken++;
          return frame;
        }
      }
      const left = end - performance.now();
      if (left <= 0)
        throw new Error(`not heard; heard: ${this.frames.map((frame) => frame.type).join(", ")}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** The next frame of this type. */
  next(type: string): Promise<HeardFrame> {
    return this.until((frame) => frame.type === type);
  }

  /** Everything that was on its way has arrived: a PING went there and back after it. */
  async settle(): Promise<void> {
    this.say("PING");
    await this.next("PONG");
  }

  heard(type: string): HeardFrame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  get ready(): Loose {
    const ready = this.frames.find((frame) => frame.type === "READY");
    if (!ready) throw new Error("there was no READY");
    return ready.data;
  }

  /** Where a later connection can take up from. */
  get resumePoint(): Required<ResumePoint> {
    const ready = this.ready as unknown as { epoch: string; servers: { id: string; seq: number }[] };
    const point: Required<ResumePoint> = { epoch: ready.epoch, streams: {}, seen: {} };
    const heard = (serverId: string, seq: number, ts: string) => {
      point.streams[serverId] = seq;
      point.seen[serverId] = ts;
    };
    for (const { type, data, server_id, seq, ts } of this.frames) {
      if (type === "READY") for (const server of ready.servers) heard(server.id, server.seq, ts);
      if (type === "SERVER_CREATE") heard(String(data.id), Number(data.seq), ts);
      if (server_id !== undefined && seq !== undefined) heard(server_id, seq, ts);
    }
    return point;
  }

  close(): void {
    this.socket.close();
  }
}
