// What the bench asks of the load generator and what it answers: one JSON line each way.
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
}

/** One measured window. */
export interface Measured {
  answers: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  serverCpuMs: number;
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
  /** Whole requests as text; `numberMark` in one of them stands for the number of the event it causes. */
  requests: string[];
  expectedStatus: number;
  warmup: Amount;
  measured: Amount;
}

export interface FanOutResult extends Measured {
  deliveries: number;
  /** The last frame as it was heard, for a reference that publishes the same bytes. */
  frame: string;
}

/** Open sockets and keep them, silent but for the heartbeat, until standard input ends. */
export interface HoldJob {
  kind: "hold";
  target: Target;
  listeners: Listeners;
}

/** Said once when all sockets are open; how many were lost is said at the end. */
export interface HoldReport {
  open: number;
  lost: number;
}

/** Live in a small server and tell how long everything took. Begins when told to, as an attack does. */
export interface BystanderJob {
  kind: "bystander";
  target: Target;
  /** Of the people of the small server. */
  tokens: string[];
  channelId: string;
  seconds: number;
  /** Begin without the calls that warm up: what is looked at happens when the server has just started. */
  atOnce: boolean;
}

/** The processor time that the load generator itself used, from the word to begin to the end. */
export interface OwnCost {
  loadMs: number;
}

export interface BystanderReport extends OwnCost {
  posts: Waits;
  pages: Waits;
  signIns: Waits;
  health: Waits;
  /** What did not succeed, by its reason. */
  lost: Record<string, number>;
  /** Posts that were answered and that the listening socket did not hear of. */
  unheard: number;
}

export interface AttackJob {
  kind: "attack";
  name: string;
  target: Target;
  hearth: AttackedHearth;
  /** Who attacks, and where. */
  stage: Stage;
  /** What the attack's scene found worth knowing. */
  facts: unknown;
  seconds: number;
  /** The part of the attack's numbers that is made use of: 1, or little of it in a smoke run. */
  share: number;
}

/** Where the program and the data of the attacked server are. */
export interface AttackedHearth {
  checkout: string;
  dataDir: string;
}

export interface AttackReport extends OwnCost {
  /** Calls, frames or connections made. */
  made: number;
  /** How they were answered: by status, by close code, or in a word. */
  answers: Record<string, number>;
}

/** Says that everything is prepared, and waits for the word to begin. */
export type Go = () => Promise<void>;

export type Job = RequestJob | FanOutJob | HoldJob | BystanderJob | AttackJob;

/** As wide as a number can get, so that the length of a request does not depend on it. */
export const numberMark = "#########";
