// Live fan-out: carries what one process committed to every process, itself included. The log stays the truth.
import type { Audience, Forgotten } from "../../protocol/event.ts";
import type { Place, StreamKey } from "../place.ts";

/** A numbered event, published after its commit. */
export interface LoggedEvent {
  kind: "logged";
  stream: StreamKey;
  seq: number;
  /** The exact text that sockets get. */
  frame: string;
  audience: Audience;
  /** Parts remembered of the server that are not true any more. */
  forgets: Forgotten;
  /** The version of the stream since an event that revokes what checks relied on; undefined for any other. */
  version: number | undefined;
  /** Whose rights the event may have changed: user ids, `role:<id>` or `*`. */
  touches: readonly string[];
  /** User id or `*`: for whom this is the last event of the stream. */
  ends: string | null;
}

/** What tells that this was heard already, where it may come twice: soon, and by the notice that its commit left. */
interface Twice {
  id?: string;
}

/** A frame without a number, for sockets that are connected now. */
export interface LiveFrame extends Twice {
  kind: "live";
  to: Place;
  exceptUserId?: string;
  frame: string;
}

/**
 * A live frame about a person, for the members of all their servers. Servers are told one after the other; if the same
 * type about the same person comes again meanwhile, only the last may be sent.
 */
export interface LiveRound extends Twice {
  kind: "round";
  /** A user id. */
  about: string;
  serverIds: readonly string[];
  type: string;
  ts: string;
  /** The data as JSON, the same for all receivers. */
  json: string;
  /** The number of the person's own event in the same commit: of two rounds the one with the higher number is newer. */
  seq?: number;
}

/**
 * Sessions that ended: their sockets are closed. Another process may hear this late, and twice, when the person or bot
 * has been let in again. So no id is used again after its end.
 */
export interface SessionsEnded {
  kind: "sessions-ended";
  userId: string;
  sessionIds: readonly string[];
}

/** A cached value that is no longer true; the key `*` means the whole cache. */
interface Dropped {
  kind: "dropped";
  cache: string;
  key: string;
  /** The stream whose events make it untrue: only processes that follow it keep the value. */
  stream?: StreamKey;
}

/** Commits that may or may not be in the log: the connection to the database was lost while they ran. */
export interface Doubted {
  kind: "doubted";
  streams: readonly StreamKey[];
  /** Whose rights or sessions these commits may have changed. */
  touches: readonly string[];
}

/** It is unknown what other processes have committed for a while: whatever is remembered or followed begins again. */
interface Lost {
  kind: "lost";
}

/** What a process has written down of the sockets of these people; the others read it there. */
export interface SocketsChanged {
  kind: "sockets";
  /** The process. */
  by: string;
  /** User ids. */
  userIds: readonly string[];
  /** The process ends, and has no sockets any more. */
  isLast?: boolean;
}

/** What a feature has for itself in the other processes, and is in no log. */
export interface Word {
  kind: "word";
  /** The feature's name. */
  to: string;
  /** JSON, of this release or a neighbouring one. */
  data: unknown;
}

export type BusItem =
  | LoggedEvent
  | LiveFrame
  | LiveRound
  | SessionsEnded
  | Dropped
  | Doubted
  | Lost
  | SocketsChanged
  | Word;

/**
 * What subscribers may rely on, and what not. `conformance.test.ts` holds every implementation to it.
 *
 * - **Its own process hears everything**, before `publish` returns: caches are dropped before an answer goes out. The
 *   subscribers hear in the order in which they subscribed.
 * - **Order**: what one process publishes, each subscriber hears in that order, the items of one call together. Nothing
 *   is promised between processes: two events of a stream may come in either order, and only their numbers say which
 *   was first.
 * - **At most once**: no event of a stream that is followed is heard twice. Another process may miss any item, and is
 *   not told so.
 * - **Where it is followed**: of other processes' events and live frames, those of the streams that this one follows
 *   come, and events that touch somebody whose own stream it follows.
 * - So what must not be missed is in the log before it is published, and who follows a stream reads there what its
 *   numbers show to be missing. A `word` only makes sooner or better what is right without it, too, and a `live` frame
 *   that belongs to no commit (somebody types) may be missed; what is told with a unit that commits is noted in the
 *   commit, like `dropped`: every process hears a `word` then at least once, `live` and `round` once.
 * - A subscriber that throws keeps nobody from hearing.
 */
export interface Bus {
  /** Why other processes are heard late, as a sentence; undefined where they are not. */
  readonly trouble: string | undefined;
  /** Whether other processes hear at once what is published; else they read it in the database within half a second. */
  readonly isCarried: boolean;
  /** Never throws: the work is committed already. */
  publish(items: readonly BusItem[]): void;
  /** Tells the subscribers of this process alone. */
  take(items: readonly BusItem[]): void;
  /** Tells the other processes alone. */
  tell(word: Word): void;
  subscribe(hear: (items: readonly BusItem[]) => void): void;
  /**
   * Hears from now on what other processes publish in this stream. `after`: the number after which nothing may be
   * missed, once it is known.
   */
  follow(stream: StreamKey, after?: number): void;
  close(): void;
}
