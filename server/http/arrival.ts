// A request before it is routed.
import type { Socket } from "../gateway/socket.ts";

export type Accept = (socket: Socket) => boolean;

/** A request as the runtime hands it over. */
export interface Arrival {
  request: Request;
  socketAddress(): string;
  /** Upgrades the connection to a WebSocket; false when the request does not ask for one. */
  accept: Accept;
}

/** The facts of a request that are known before its route, and the operation once it is found. */
export interface Facts {
  requestId: string;
  clientIp(): string;
  operation: string;
}
