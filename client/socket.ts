// One socket of a client, from its opening to its end: AUTH first, then a heartbeat, and a deadline for silence.
import type { Resume } from "../protocol/client-frames.ts";
import { is } from "../protocol/event.ts";
import { heartbeatIntervalMs, type ServerFrame } from "../protocol/frames.ts";
import type { Later } from "./later.ts";
import { isWhole, ready, resumed } from "./ready.ts";

/** How long (milliseconds) a socket may take to open, and then be silent before READY, for which crowds wait. */
const openingMs = 15_000;
const beginningMs = 60_000;
/** How long the gateway may be silent after a PING, in milliseconds. */
const answerMs = 10_000;
/** Bytes that may wait for a network that takes nothing; with more, frames are not sent. */
const unsentMax = 256 * 1024;

/** The close code of a connection that broke without a close frame, or that this client gives up. */
const gone = 1006;

/** The data of AUTH. Without a token the browser's cookie counts. */
interface Auth {
  token?: string;
  resume?: Resume;
}

interface SocketListener {
  frame(frame: ServerFrame): void;
  /** READY or RESUMED came. */
  live(): void;
  /** Called once, and nothing after it; not when the client closed the socket itself. */
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
  /** A PING is under way; another one would put off its deadline. */
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

  /** Sends a frame. Returns whether it was sent: not before READY, and not to a network that takes nothing. */
  say(type: string, data: unknown): boolean {
    if (!this.#isLive || this.#socket.bufferedAmount > unsentMax) return false;
    this.#send(type, data);
    return true;
  }

  /** Finds out now whether the gateway still answers: after a sleep of the machine, or a change of its network. */
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
    // Without a READY that makes sense nothing that follows does.
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

  /** A long replay comes in many frames: each of them is a sign of life, and the last one ends the wait. */
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
