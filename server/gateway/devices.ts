// Activity of people at the devices whose sockets are here: reported by each socket, and assumed until a new socket has
// reported.
import type { Connections } from "../house/connections.ts";
import type { Socket } from "./socket.ts";

/** How long the new socket of an idle person counts as idle while it says nothing, from READY or RESUMED on, in ms. */
export const undecidedMs = 5000;

export class Devices {
  readonly #connections: Connections;
  /** Sockets that count as idle because their person is: until when, by performance.now(), once they have begun. */
  readonly #undecided = new Map<Socket, number>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Returns whether a socket that signs in counts as idle at first: a page that reconnects may be asleep. */
  greet(socket: Socket, userId: string): boolean {
    const isIdle = this.#connections.isIdle(userId);
    if (isIdle) this.#undecided.set(socket, Number.POSITIVE_INFINITY);
    return isIdle;
  }

  /** Called when the socket has its READY or RESUMED. */
  begun(socket: Socket): void {
    if (this.#undecided.has(socket)) this.#undecided.set(socket, performance.now() + undecidedMs);
  }

  /** Takes what a frame other than AUTH and PING says of the socket's device; undefined when it says nothing of it. */
  said(socket: Socket, isIdle: boolean | undefined): void {
    const wasUndecided = this.#undecided.delete(socket);
    if (!socket.caller || !socket.isOpen || (isIdle === undefined && !wasUndecided)) return;
    const { userId } = socket.caller;
    if (isIdle && socket.saidAt !== Number.NEGATIVE_INFINITY) {
      socket.saidAt = Number.NEGATIVE_INFINITY;
      // A socket that counted as idle before was active until now all the same, by its AUTH.
      this.#connections.elsewhere.noteSockets(userId);
    }
    this.#connections.setIdle(userId, socket.since, isIdle ?? false);
  }

  closed(socket: Socket): void {
    this.#undecided.delete(socket);
  }

  /** Takes sockets for touched that have said nothing in time. */
  sweep(now: number): void {
    for (const [socket, until] of this.#undecided) if (now >= until) this.said(socket, undefined);
  }
}
