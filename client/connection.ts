// A client's connection to the gateway: a series of sockets, each resuming where the last one was cut.
import { closedWith, type ServerFrame } from "../protocol/frames.ts";
import { backOffMs, toldToWaitMs } from "./back-off.ts";
import { type Later, later } from "./later.ts";
import { Position } from "./position.ts";
import { ClientSocket } from "./socket.ts";

/** Why a connection does not reconnect by itself. */
type Ending = "stopped" | "signed out" | "replaced" | "not authenticated" | "not understood";

export type ConnectionState =
  | { is: "connecting" }
  | { is: "live" }
  /** Waiting for the next attempt, in `forMs` milliseconds. */
  | { is: "waiting"; forMs: number }
  | { is: "ended"; why: Ending };

export interface ConnectionOptions {
  /** `wss://chat.example.org/ws` */
  url: string;
  /** The token of a session or a bot; browsers omit it, as they send a cookie. */
  token?: string;
  /**
   * Called with each new frame, in the order of its stream. A READY replaces everything before it. A frame counts as
   * received even if this throws.
   */
  onFrame(frame: ServerFrame): void;
  onState?(state: ConnectionState): void;
  later?: Later;
  random?: () => number;
}

/** Close codes after which the client does not reconnect. After any other it waits, and resumes. */
const endings: ReadonlyMap<number, Ending> = new Map([
  [closedWith.notAuthenticated, "not authenticated"],
  [closedWith.notUnderstood, "not understood"],
  [closedWith.sessionEnded, "signed out"],
  [closedWith.replaced, "replaced"],
]);

/** A connection live for this long, in milliseconds, counts as a success: the next delay is a short one again. */
const steadyMs = 30_000;

export class Connection {
  readonly position = new Position();
  readonly #options: ConnectionOptions;
  readonly #later: Later;
  readonly #random: () => number;
  #state: ConnectionState = { is: "ended", why: "stopped" };
  #socket: ClientSocket | undefined;
  #failures = 0;
  #wasToldToWait = false;
  /** Cancels the pending timer: for the next attempt, or for counting this one as a success. */
  #cancelDue = () => {};

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#later = options.later ?? later;
    this.#random = options.random ?? Math.random;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Connects, and stays connected until it is stopped or ended by the gateway; then it can be started again. */
  start(): void {
    if (this.#state.is === "ended") this.#connect();
  }

  stop(): void {
    if (this.#state.is !== "ended") this.#end("stopped");
  }

  /**
   * Connects without delay, when the network is back or the page is shown again, unless the gateway asked for the
   * delay. An open connection is probed.
   */
  tryNow(): void {
    if (this.#state.is === "waiting" && !this.#wasToldToWait) this.#connect();
    else this.#socket?.probe();
  }

  /** Sends a frame. Returns whether it was sent: nothing is queued, so what has to arrive is sent by HTTP. */
  say(type: string, data: unknown = {}): boolean {
    return this.#socket?.say(type, data) ?? false;
  }

  #connect(): void {
    this.#cancelDue();
    this.#become({ is: "connecting" });
    // The state callback may have stopped the connection.
    if (this.#state.is !== "connecting") return;
    const { url, token } = this.#options;
    const { resume } = this.position;
    const auth = { ...(token !== undefined && { token }), ...(resume && { resume }) };
    const listener = {
      frame: (frame: ServerFrame) => {
        if (this.position.heard(frame)) this.#handOver(frame);
      },
      live: () => this.#live(),
      ended: (code: number) => this.#lost(code),
    };
    this.#socket = new ClientSocket(url, auth, listener, this.#later);
  }

  /** An error of the handler is reported as uncaught, and does not affect the connection. */
  #handOver(frame: ServerFrame): void {
    try {
      this.#options.onFrame(frame);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #live(): void {
    this.#cancelDue();
    this.#cancelDue = this.#later(steadyMs, () => {
      this.#failures = 0;
    });
    this.#become({ is: "live" });
  }

  #lost(code: number): void {
    this.#socket = undefined;
    this.#cancelDue();
    const why = endings.get(code);
    if (why) {
      this.#end(why);
      return;
    }
    this.#wasToldToWait = code === closedWith.tooFast;
    const forMs = backOffMs(this.#failures++, this.#random) + (this.#wasToldToWait ? toldToWaitMs : 0);
    this.#cancelDue = this.#later(forMs, () => this.#connect());
    this.#become({ is: "waiting", forMs });
  }

  #end(why: Ending): void {
    this.#cancelDue();
    this.#socket?.close();
    this.#socket = undefined;
    this.#become({ is: "ended", why });
  }

  #become(state: ConnectionState): void {
    this.#state = state;
    this.#options.onState?.(state);
  }
}
