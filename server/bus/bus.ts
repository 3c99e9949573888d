// Live fan-out: carries each process's commits to every process, itself included. The log stays the source of truth.
import type { Audience, Forgotten } from "../../protocol/event.ts";
import type { Home, StreamAudience, StreamKey } from "../place.ts";

/** A numbered event, published after its commit. */
export interface LoggedEvent {
  kind: "logged";
  stream: StreamKey;
  seq: number;
  /** The frame's JSON, exactly as sockets get it. */
  frame: string;
  audience: Audience;
  /** The home of the event, if it is not the stream. */
  home?: Home;
  /** Cached parts of the home that this event invalidates. */
  forgets: Forgotten;
  /** The home's version after an event that revokes something checks relied on; undefined for any other event. */
  version: number | undefined;
  /** The people whose rights the event may have changed: user ids, `role:<id>` or `*`. */
  touches: readonly string[];
  /** For whom this is the stream's last event: a user id, or `*` for everybody. */
  ends: string | null;
}

/** Identifies an item that may arrive twice: at once, and by the notice that its commit left. */
interface Twice {
  id?: string;
}

/** A frame without a number, for sockets that are connected now. */
export interface LiveFrame extends Twice {
  kind: "live";
  to: StreamAudience;
  exceptUserId?: string;
  frame: string;
}

/**
 * A live frame about a person, for the members of all their servers. Servers are served one after the other; when a
 * frame of the same type about the same person follows meanwhile, only the last one may be sent.
 */
export interface LiveRound extends Twice {
  kind: "round";
  /** The person's user id. */
  about: string;
  serverIds: readonly string[];
  type: string;
  ts: string;
  /** The data as JSON, the same for all recipients. */
  json: string;
  /** The number of the person's own event in the same commit: the round with the higher number is the newer one. */
  seq?: number;
}

/**
 * Sessions that ended: their sockets are closed. Another process may get this late, and twice, when the person or bot
 * has been let in again. So session ids are never reused.
 */
export interface SessionsEnded {
  kind: "sessions-ended";
  userId: string;
  sessionIds: readonly string[];
}

/** An invalidated cache entry; the key `*` means the whole cache. */
interface Dropped {
  kind: "dropped";
  cache: string;
  key: string;
  /** The stream whose events invalidate the entry: only processes that follow it cache the value. */
  stream?: StreamKey;
}

/** Commits whose outcome is unknown: the connection to the database was lost while they ran. */
export interface Doubted {
  kind: "doubted";
  streams: readonly StreamKey[];
  /** Ids of the users whose rights or sessions these commits may have changed. */
  touches: readonly string[];
}

/** Commits of other processes were missed for a while: every cache and every followed stream starts over. */
interface Lost {
  kind: "lost";
}

/** The process has updated its rows about these people's sockets; the other processes read them there. */
export interface SocketsChanged {
  kind: "sockets";
  /** The id of the process that wrote the rows. */
  by: string;
  /** User ids. */
  userIds: readonly string[];
  /** True if the process ends, and has no sockets any more. */
  isLast?: boolean;
}

/** A message from a feature to itself in the other processes; it is in no log. */
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
 * The guarantees to subscribers. `conformance.test.ts` holds every implementation to them.
 *
 * - **Its own process hears everything**, before `publish` returns: caches are dropped before an answer is sent. The
 *   subscribers are called in the order in which they subscribed.
 * - **Order**: each subscriber hears one process's items in the order in which they were published, the items of one
 *   call together. Nothing is promised between processes: two events of a stream may come in either order, and only
 *   their numbers say which was first.
 * - **At most once**: no event of a followed stream is heard twice. Another process may miss any item, and is not
 *   told so.
 * - **Where it is followed**: of other processes' events and live frames, a process hears those of the streams that
 *   it follows, and events that touch a person whose own stream it follows.
 * - So an item that must not be missed is in the log before it is published, and a follower of a stream reads there
 *   what its numbers show to be missing. A `word` only makes sooner or better what is right without it, and a `live`
 *   frame that belongs to no commit (typing) may be missed. Items told with a unit that commits are noted in the
 *   commit, like `dropped`: every process then hears a `word` at least once, `live` and `round` once.
 * - A subscriber that throws does not keep the others from hearing.
 */
export interface Bus {
  /** Why other processes hear late, as a sentence; undefined where they do not. */
  readonly trouble: string | undefined;
  /** True if other processes hear items at once; otherwise they read them in the database within half a second. */
  readonly isCarried: boolean;
  /** Never throws: the work is already committed. */
  publish(items: readonly BusItem[]): void;
  /** Calls the subscribers of this process only. */
  take(items: readonly BusItem[]): void;
  /** Sends to the other processes only. */
  tell(word: Word): void;
  subscribe(hear: (items: readonly BusItem[]) => void): void;
  /**
   * Subscribes this process to what other processes publish in the stream. `after`: the number after which no event may
   * be missed, once it is known.
   */
  follow(stream: StreamKey, after?: number): void;
  /**
   * Resolves when what other processes told in these followed streams before this call has been heard. From then on each
   * process's live frames come in its order, so state that is read afterwards is not older than a frame that follows it.
   */
  caughtUp(streams: readonly StreamKey[]): Promise<void>;
  close(): void;
}
