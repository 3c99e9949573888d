// Live fan-out: what one process committed, told to every process (itself too). The log stays the truth.
import type { Audience } from "../../protocol/event.ts";
import type { Place, StreamKey } from "../place.ts";

/** A numbered event, after its commit. */
export interface LoggedEvent {
  kind: "logged";
  stream: StreamKey;
  seq: number;
  /** The exact text that sockets get. */
  frame: string;
  audience: Audience;
  structural: boolean;
  /** User ids, `role:<id>` or `*`: whose rights may have changed. */
  touches: readonly string[];
  /** User id or `*`: for whom this is the last event of the stream. */
  ends: string | null;
}

/** A frame without a number, for the listeners of the moment. */
export interface LiveFrame {
  kind: "live";
  to: Place;
  exceptUserId?: string;
  frame: string;
}

/**
 * A frame without a number about somebody, for the members of all their servers. Those are told one after the other; of
 * a type that comes again meanwhile, only the last may be told.
 */
export interface LiveRound {
  kind: "round";
  /** A user id. */
  about: string;
  serverIds: readonly string[];
  type: string;
  ts: string;
  /** The data as JSON, the same for all. */
  json: string;
}

/** Sessions of a person that ended: their sockets are closed. */
export interface SessionsEnded {
  kind: "sessions-ended";
  userId: string;
  sessionIds: readonly string[];
}

/** A cached value that is no longer true; `*` for all of the cache. */
export interface Dropped {
  kind: "dropped";
  cache: string;
  key: string;
}

/** Changes that are in the log, or are not: the database went away while it committed them. */
export interface Doubted {
  kind: "doubted";
  streams: readonly StreamKey[];
  /** Whose rights or sessions they may have changed. */
  touches: readonly string[];
}

export type BusItem = LoggedEvent | LiveFrame | LiveRound | SessionsEnded | Dropped | Doubted;

export interface Bus {
  /** Never throws: it is the end of work that is done. */
  publish(items: readonly BusItem[]): void;
  subscribe(hear: (items: readonly BusItem[]) => void): void;
}
