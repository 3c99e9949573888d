// A request as it comes in, before anybody knows what it asks for.
import type { Socket } from "../gateway/socket.ts";

export type Accept = (socket: Socket) => boolean;

/** A request as the runtime hands it over. */
export interface Arrival {
  request: Request;
  socketAddress(): string;
  /** Turns the connection into a socket; false when it does not ask for one. */
  accept: Accept;
}

/** What is known of a request before its route, and the operation it turns out to be. */
export interface Facts {
  requestId: string;
  clientIp(): string;
  operation: string;
}
