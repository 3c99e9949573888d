// The jobs of the load generator and their results, sent as one line of JSON each.
import type { Stage } from "../people.ts";
import type { Waits } from "./waits.ts";

/** A server under load; its process id is needed to read how much processor time it used. */
export interface Target {
  host: string;
  port: number;
  pid: number;
}

/** How long a phase lasts: a time, or a number of answers. */
export type Amount = { seconds: number } | { answers: number };

/** Gateway sockets that follow one server; socket n signs in with token n modulo their number. */
export interface Listeners {
  path: string;
  serverId: string;
  tokens: string[];
  sockets: number;
  /** True if some events are not for these sockets: their numbers are missing then. */
  mayMiss?: boolean;
  /** The process that the sockets connect to, when it is not the one that is called. */
  at?: Target;
}

/** Send requests, a fixed number in flight, each connection one at a time. */
export interface RequestJob {
  kind: "requests";
  target: Target;
  /** Whole requests as text; connection n cycles through list n modulo their number. */
  requests: string[][];
  inFlight: number;
  expectedStatus: number;
  warmup: Amount;
  measured: Amount;
  /** The body that every answer must carry, byte for byte. */
  expectedBody?: string;
  /** Sockets that must receive one numbered event for every answer. */
  listeners?: Listeners;
  watched?: Watched;
}

/** Process ids by name. Their processor time is measured, too. */
export type Watched = Record<string, number>;

/** One measured window. */
export interface Measured {
  answers: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  serverCpuMs: number;
  /** Processor time of the watched processes and their children. */
  watchedCpuMs: Record<string, number>;
  /** The share of its core that each side used; near 1 means that it is the bottleneck. */
  serverBusy: number;
  loadBusy: number;
  /** The share of a core that other programs used; unless it is close to zero, the times cannot be trusted. */
  othersBusy: number;
}

export interface RequestResult extends Measured {
  deliveries: number;
}

/** Send one request at a time; the next goes out when every socket has received the last one's event. */
export interface FanOutJob {
  kind: "fan-out";
  target: Target;
  listeners: Listeners;
  /** Sockets on further processes that must receive each event as well. */
  further?: Listeners;
  watched?: Watched;
  /** Whole requests as text; `numberMark` in one of them stands for the number of the event it causes. */
  requests: string[];
  expectedStatus: number;
  warmup: Amount;
  measured: Amount;
}

export interface FanOutResult extends Measured {
  deliveries: number;
  /** How much later than `listeners` the further sockets received each event. */
  added: Waits;
  /** The last frame received, for a reference server that publishes the same bytes. */
  frame: string;
}

/** Post at a steady rate, while each socket's person marks the channel read once a second. */
export interface ReadersJob {
  kind: "readers";
  target: Target;
  /** As many sockets as tokens: each reader has one. */
  listeners: Listeners;
  /** Whole requests of the poster as text. */
  posts: string[];
  postsPerSecond: number;
  /** By reader, the request that marks the channel read; `idMark` stands for the message id. Empty: none marks. */
  marks: string[];
  warmup: Amount;
  measured: Amount;
}

/** The figures of `Measured` are those of the posts. */
export interface ReadersResult extends Measured {
  /** Markers that were set, and the READ_STATE_UPDATEs received: one may carry several markers. */
  marked: number;
  told: number;
  markedPerSecond: number;
  /** From a marker's request to the event that announces it. */
  untold: Waits;
}

/** Sign sockets in one after another, each up to its READY. */
export interface ReadyJob {
  kind: "ready";
  target: Target;
  token: string;
  watched?: Watched;
  warmup: Amount;
  measured: Amount;
}

export interface ReadyResult extends Measured {
  /** Size and channel count of the last READY. */
  bytes: number;
  channels: number;
  /** Undefined when READY has no read states. */
  readStates: { count: number; bytes: number; unread: number; mentioning: number } | undefined;
}

/** Open sockets and keep them, silent but for the heartbeat, until standard input ends. */
export interface HoldJob {
  kind: "hold";
  target: Target;
  listeners: Listeners;
}

/** Printed when all sockets are open; the number of lost sockets comes at the end. */
export interface HoldReport {
  open: number;
  lost: number;
}

/** Use a small server and report the latency of every call. Begins at the word `go`, like an attack. */
export interface BystanderJob {
  kind: "bystander";
  target: Target;
  /** Tokens of the people of the small server. */
  tokens: string[];
  channelId: string;
  seconds: number;
  /** Skip the warm-up, because the server's start is measured. */
  atOnce: boolean;
}

/** The processor time of the load generator itself, from `go` to the end. */
interface OwnCost {
  loadMs: number;
}

export interface BystanderReport extends OwnCost {
  posts: Waits;
  pages: Waits;
  signIns: Waits;
  health: Waits;
  /** Failed calls by reason. */
  lost: Record<string, number>;
  /** Answered posts whose event the listening socket did not receive. */
  unheard: number;
}

export interface AttackJob {
  kind: "attack";
  name: string;
  target: Target;
  hearth: AttackedHearth;
  /** The attackers and their server. */
  stage: Stage;
  /** The facts that the attack's scene returned. */
  facts: unknown;
  seconds: number;
  /** The fraction of the attack's numbers that is used: 1, or less in a smoke run. */
  share: number;
}

/** The folders of the attacked server's program and data. */
export interface AttackedHearth {
  checkout: string;
  dataDir: string;
}

export interface AttackReport extends OwnCost {
  /** Calls, frames or connections made. */
  made: number;
  /** Answers by status, by close code, or by a keyword. */
  answers: Record<string, number>;
}

/** Prints that everything is prepared, and waits for the word `go`. */
export type Go = () => Promise<void>;

export type Job = RequestJob | FanOutJob | ReadersJob | ReadyJob | HoldJob | BystanderJob | AttackJob;

/** A placeholder as wide as the largest number, so that all requests have the same length. */
export const numberMark = "#########";

/** A placeholder as long as an id. */
export const idMark = "#".repeat(36);
