// One socket of a client, from open to close: AUTH first, then heartbeats, and a deadline for silence.
import type { Resume } from "../protocol/client-frames.ts";
import { is } from "../protocol/event.ts";
import { heartbeatIntervalMs, type ServerFrame } from "../protocol/frames.ts";
import type { Later } from "./later.ts";
import { isWhole, ready, resumed } from "./ready.ts";

/** Milliseconds a socket may take to open, and then be silent before READY, for which crowds have to wait. */
const openingMs = 15_000;
const beginningMs = 60_000;
/** How long the gateway may be silent after a PING, in milliseconds. */
const answerMs = 10_000;
/** The most bytes buffered for a stalled network; beyond it, frames are not sent. */
const unsentMax = 256 * 1024;

/** The close code of a connection that broke without a close frame, or that this client gave up. */
const gone = 1006;

/** The data of AUTH. Without a token the browser's cookie is used. */
interface Auth {
  token?: string;
  resume?: Resume;
}

interface SocketListener {
  frame(frame: ServerFrame): void;
  /** Called on READY or RESUMED. */
  live(): void;
  /** Called once, as the last callback; not if the client closed the socket itself. */
  ended(code: number): void;
}

export class ClientSocket {
  readonly #socket: WebSocket;
  readonly #listener: SocketListener;
  readonly #later: Later;
  #heartbeatMs = heartbeatIntervalMs;
  #isLive = false;
  #hasEnded = false;
  #heardSomething = false;
  /** A PING is pending; another one would postpone its deadline. */
  #awaitsAnswer = false;
  #cancelDeadline = () => {};
  #cancelPing = () => {};

  constructor(url: string, auth: Auth, listener: SocketListener, later: Later) {
    this.#listener = listener;
    this.#later = later;
    this.#socket = new WebSocket(url);
    this.#socket.onopen = () => {
      this.#send("AUTH", auth);
      this.#awaitBeginning();
    };
    this.#socket.onmessage = ({ data }) => this.#hear(String(data));
    this.#socket.onclose = ({ code }) => this.#end(code);
    this.#cancelDeadline = later(openingMs, () => this.#end(gone));
  }

  /** Sends a frame. Returns whether it was sent: not before READY, and not to a stalled network. */
  say(type: string, data: unknown): boolean {
    if (!this.#isLive || this.#socket.bufferedAmount > unsentMax) return false;
    this.#send(type, data);
    return true;
  }

  /** Checks now whether the gateway still responds: after the machine slept, or its network changed. */
  probe(): void {
    if (this.#isLive && !this.#awaitsAnswer) this.#ping();
  }

  /** Closes the socket and removes its handlers: over a dead network the runtime reports the end minutes later. */
  close(): void {
    this.#hasEnded = true;
    this.#isLive = false;
    this.#cancelDeadline();
    this.#cancelPing();
    this.#socket.onopen = null;
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.close();
  }

  #send(type: string, data: unknown): void {
    this.#socket.send(JSON.stringify({ type, data }));
  }

  #hear(text: string): void {
    this.#heardSomething = true;
    this.#awaitsAnswer = false;
    const frame = read(text);
    // Without a valid READY nothing that follows makes sense.
    if (!frame || (is(frame, ready) && !isWhole(frame.data))) {
      this.#end(gone);
      return;
    }
    if (is(frame, ready)) this.#heartbeatMs = frame.data.heartbeat_interval_ms;
    this.#listener.frame(frame);
    if (!this.#hasEnded && (is(frame, ready) || is(frame, resumed))) this.#begin();
  }

  #begin(): void {
    this.#isLive = true;
    this.#cancelPing();
    this.#cancelDeadline();
    this.#schedulePing();
    this.#listener.live();
  }

  /** A long replay has many frames: each of them is a sign of life, and the last one ends the wait. */
  #awaitBeginning(): void {
    this.#expectSomething(beginningMs, () => this.#awaitBeginning());
  }

  #schedulePing(): void {
    this.#cancelPing = this.#later(this.#heartbeatMs, () => this.#ping());
  }

  #ping(): void {
    this.#cancelPing();
    this.#send("PING", {});
    this.#awaitsAnswer = true;
    this.#expectSomething(answerMs, () => {});
    this.#schedulePing();
  }

  #expectSomething(withinMs: number, onHeard: () => void): void {
    this.#heardSomething = false;
    this.#cancelDeadline();
    this.#cancelDeadline = this.#later(withinMs, () => {
      if (this.#heardSomething) onHeard();
      else this.#end(gone);
    });
  }

  #end(code: number): void {
    if (this.#hasEnded) return;
    this.close();
    this.#listener.ended(code);
  }
}

/** Returns undefined for a text that is no frame. */
function read(text: string): ServerFrame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === "object" && frame !== null && "type" in frame
      ? (frame as ServerFrame)
      : undefined;
  } catch {
    return undefined;
  }
}
