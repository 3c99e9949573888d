// The jobs of the load generator and their results: one JSON line each way.
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

/** Gateway sockets that hear one server; socket n signs in with token n modulo their number. */
export interface Listeners {
  path: string;
  serverId: string;
  tokens: string[];
  sockets: number;
  /** The process that they are connected to, where it is another than the one that is called. */
  at?: Target;
}

/** Send requests, a fixed number in flight, each connection one at a time. */
export interface RequestJob {
  kind: "requests";
  target: Target;
  /** Whole requests as text; connection n walks through list n modulo their number, over and over. */
  requests: string[][];
  inFlight: number;
  expectedStatus: number;
  warmup: Amount;
  measured: Amount;
  /** The body that every answer must carry, byte for byte. */
  expectedBody?: string;
  /** Sockets that must hear one numbered event for every answer. */
  listeners?: Listeners;
  watched?: Watched;
}

/** Process ids by name, whose processor time is measured, too. */
export type Watched = Record<string, number>;

/** One measured window. */
export interface Measured {
  answers: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  serverCpuMs: number;
  /** Of the watched processes, with those that they started. */
  watchedCpuMs: Record<string, number>;
  /** The share of its core that each side used; near 1 means that it is the bottleneck. */
  serverBusy: number;
  loadBusy: number;
  /** How much of a core everything else on the machine used: above nearly nothing, times are not to be trusted. */
  othersBusy: number;
}

export interface RequestResult extends Measured {
  deliveries: number;
}

/** Send one request at a time; the next goes out when every socket has heard the last. */
export interface FanOutJob {
  kind: "fan-out";
  target: Target;
  listeners: Listeners;
  /** Sockets on further processes, that must hear it as well. */
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
  /** How much later than `listeners` the further sockets heard each event. */
  added: Waits;
  /** The last frame that was heard, for a reference that publishes the same bytes. */
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
  /** By reader the request that marks the channel read; `idMark` stands for the message. Empty: nobody marks. */
  marks: string[];
  warmup: Amount;
  measured: Amount;
}

/** `Measured` is about the posts. */
export interface ReadersResult extends Measured {
  /** Markers that were set, and the READ_STATE_UPDATEs that told of them: one may tell of several. */
  marked: number;
  told: number;
  markedPerSecond: number;
  /** From a marker's request to the event that tells of it. */
  untold: Waits;
}

/** Sign one socket in after the other, each up to its READY. */
export interface ReadyJob {
  kind: "ready";
  target: Target;
  token: string;
  watched?: Watched;
  warmup: Amount;
  measured: Amount;
}

export interface ReadyResult extends Measured {
  /** Of the last READY. */
  bytes: number;
  channels: number;
  /** Undefined where the server tells of none. */
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

/** Live in a small server and tell how long every call took. Begins at the word `go`, like an attack. */
export interface BystanderJob {
  kind: "bystander";
  target: Target;
  /** Tokens of the people of the small server. */
  tokens: string[];
  channelId: string;
  seconds: number;
  /** Begin without warming up, because the server's start is what is measured. */
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
  /** Numbers of failed calls, by reason. */
  lost: Record<string, number>;
  /** Answered posts whose event the listening socket did not get. */
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
  /** Numbers of answers by status, by close code, or by a word. */
  answers: Record<string, number>;
}

/** Prints that everything is prepared, and waits for the word `go`. */
export type Go = () => Promise<void>;

export type Job = RequestJob | FanOutJob | ReadersJob | ReadyJob | HoldJob | BystanderJob | AttackJob;

/** As wide as the largest number, so that all requests have the same length. */
export const numberMark = "#########";

/** As long as an id. */
export const idMark = "#".repeat(36);
