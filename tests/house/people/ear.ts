// A bare socket for tests that does nothing by itself: it keeps every frame it receives.
import { atRest } from "./at-rest.ts";
import { allHeard, heardBeside } from "./beside.ts";
import { Heard } from "./heard.ts";

/** The point from which a connection resumes: by server the number of the last event received, and its time. */
export interface ResumePoint {
  epoch: string;
  streams: Record<string, number>;
  seen?: Record<string, string>;
}

/** Close code after which clients reconnect at once. */
const restart = 1012;
const patienceMs = 180_000;

/** How a socket ended. */
interface Closed {
  code: number;
  reason: string;
}

export class Ear extends Heard {
  readonly socket: WebSocket;
  /** Settles when the socket is closed. */
  readonly closed: Promise<Closed>;

  readonly #url: string;
  /** Undefined while it is open. */
  #closedWith: Closed | undefined;
  /** True if a frame that this socket sent may still have effects on their way. */
  #hasSaid = false;

  constructor(socket: WebSocket, url = "") {
    super();
    this.#url = url;
    this.socket = socket;
    socket.onmessage = (event) => this.keep(String(event.data));
    this.closed = new Promise((resolve) => {
      socket.onclose = ({ code, reason }) => {
        this.#closedWith = { code, reason };
        this.end(`the socket was closed with ${code}${reason && ` (${reason})`}`);
        resolve(this.#closedWith);
      };
    });
  }

  static async open(
    url: string,
    token: string | undefined,
    resume?: ResumePoint,
    headers: Record<string, string> = {},
  ): Promise<Ear> {
    const end = performance.now() + patienceMs;
    for (;;) {
      const ear = await Ear.connect(url, headers);
      ear.say("AUTH", { ...(token && { token }), ...(resume && { resume }) });
      try {
        await ear.until(({ type }) => type === "READY" || type === "RESUMED");
      } catch (error) {
        // Clients that are told to reconnect do the same.
        if (ear.#closedWith?.code === restart && performance.now() < end) continue;
        throw error;
      }
      ear.#hasSaid = false;
      await heardBeside(url);
      return ear;
    }
  }

  /** Connects, and sends nothing. */
  static async connect(url: string, headers: Record<string, string> = {}): Promise<Ear> {
    const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers } as never);
    const ear = new Ear(socket, url);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error("the upgrade was refused"));
    });
    return ear;
  }

  say(type: string, data: unknown = {}): void {
    this.#hasSaid ||= type !== "PING";
    this.socket.send(JSON.stringify({ type, data }));
  }

  /** Also waits for the effects of its own frames in every process: the frames of one socket are handled in order. */
  override async settle(): Promise<void> {
    if (this.#hasSaid) await super.settle();
    this.#hasSaid = false;
    await allHeard(this.#url);
    await atRest(this.#url);
    await super.settle();
  }

  /** The point from which a later connection resumes. */
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
