// One socket of a client, from its opening to its end: AUTH first, then a heartbeat, and a deadline for silence.
import type { Resume } from "../protocol/client-frames.ts";
import { is } from "../protocol/event.ts";
import { heartbeatIntervalMs, type ServerFrame } from "../protocol/frames.ts";
import type { Later } from "./later.ts";
import { ready, resumed } from "./ready.ts";

/** So long it may take to open, and so long nothing may come before READY, for which crowds wait their turn. */
const openingMs = 15_000;
const beginningMs = 60_000;
/** So long after a PING nothing may come. */
const answerMs = 10_000;
/** What the runtime keeps for a network that takes nothing; more is not said. */
const unsentMax = 256 * 1024;

/** The close code of a connection that is gone without a word; so it is called here too when it is given up. */
export const gone = 1006;

/** What AUTH says. Without a token the browser's cookie counts. */
export interface Auth {
  token?: string;
  resume?: Resume;
}

export interface SocketListener {
  frame(frame: ServerFrame): void;
  /** READY or RESUMED came. */
  live(): void;
  /** Once, and nothing after it; not when it was closed from here. */
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

  /** Returns whether it was said: not before READY, and not to a network that takes nothing. */
  say(type: string, data: unknown): boolean {
    if (!this.#isLive || this.#socket.bufferedAmount > unsentMax) return false;
    this.#send(type, data);
    return true;
  }

  /** Finds out now whether anybody is there: after a sleep of the machine, when the network is another. */
  probe(): void {
    if (this.#isLive) this.#ping();
  }

  /** Lets go of it. What comes after that nobody hears: over a dead network its end is told minutes later. */
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
    const frame = read(text);
    if (!frame) {
      this.#end(gone);
      return;
    }
    if (is(frame, ready)) this.#heartbeatMs = frame.data.heartbeat_interval_ms;
    this.#listener.frame(frame);
    if (!this.#hasEnded && (is(frame, ready) || is(frame, resumed))) this.#begin();
  }

  #begin(): void {
    this.#isLive = true;
    this.#cancelDeadline();
    this.#schedulePing();
    this.#listener.live();
  }

  /** A long replay comes in many frames: each is a sign of life, the last of them ends the waiting. */
  #awaitBeginning(): void {
    this.#expectSomething(beginningMs, () => this.#awaitBeginning());
  }

  #schedulePing(): void {
    this.#cancelPing = this.#later(this.#heartbeatMs, () => this.#ping());
  }

  #ping(): void {
    this.#cancelPing();
    this.#send("PING", {});
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

/** Undefined for what is no frame. */
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
