// The interface of a feature: its operations, tables, frames, and additions to READY. One value per feature.
import type { Migration } from "kysely";
import type { z } from "zod";
import type { EventDeclaration } from "../../protocol/event.ts";
import type { Operation, RateClass } from "../../protocol/operation.ts";
import type { LoggedEvent, SessionsEnded } from "../bus/bus.ts";
import type { Database, Db } from "../database/database.ts";
import type { Report } from "../database/migrate.ts";
import type { Place } from "../place.ts";
import type { SecretPath } from "../telemetry/log.ts";
import type { Check } from "./check.ts";
import type { House } from "./house.ts";
import type { Soon } from "./known.ts";
import type { Answering } from "./question.ts";
import type { Reply } from "./reply.ts";
import type { RightsSource } from "./standing.ts";
import type { Sweep } from "./sweeping.ts";
import type { UnitOfWork } from "./unit.ts";

/** The person or bot that a request or socket is authenticated as. A bot has a token instead of a session. */
export interface Caller {
  userId: string;
  isBot: boolean;
  sessionId: string;
  /** The hash of a session's token, which a new password renews. */
  tokenHash?: string;
  /** The person that a bot belongs to. */
  ownerId?: string;
  /** A Set-Cookie for the answer: sent now and then, so that the cookie of a returning person does not expire. */
  renewal?: string;
}

/** The facts of the request that a handler may use besides its input. */
export interface RequestFacts {
  userAgent: string;
  /** Origin for links in answers: the public URL, else the listening URL. */
  publicUrl: string;
  /** The request itself, its body unread: for operations that declare `consumes`, and for headers. */
  readonly raw: Request;
  /**
   * Runs the work of an expensive ("dear") operation that declares `consumes`, after its upload: an account has two
   * dear calls running at a time. Throws rate_limited (429) when the other two take too long.
   */
  carryOut<T>(work: () => Promise<T>): Promise<T>;
}

/** The arguments of a handler: the checked input, the caller, and the unit to work in. */
export interface Call<Params, Query, Body> {
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  request: RequestFacts;
  unit: UnitOfWork;
}

type HandlerResult = Promise<unknown | Reply>;

/** The facts of a call to a public operation before its query and body are read: the path, and the headers. */
export interface Admission<Params> {
  house: House;
  params: Params;
  headers: Headers;
  /** The rate-limit key of the client's address: an IPv4 address, or the /64 of an IPv6 address. */
  clientKey: string;
  /** Draws one call from the bucket of this name. Throws rate_limited (429). */
  take(rateClass: RateClass, key: string): Soon<void>;
  /** Raises the cost of a call that was drawn. Throws rate_limited (429); the call then still counts as one. */
  countAs(rateClass: RateClass, key: string, cost: number): Soon<void>;
}

/** An operation with the function that implements it. */
export interface Handler {
  operation: Operation;
  /** Authenticates the caller before the query and body are read. Its result is passed to `run`. */
  admit?(admission: Admission<unknown>): Promise<unknown>;
  run(call: Call<unknown, unknown, unknown>, admitted: unknown): HandlerResult;
}

/** Binds an operation to the function that implements it. */
export function handle<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  operation: Operation<P, Q, B>,
  run: (call: Call<z.infer<P>, z.infer<Q>, z.infer<B>>) => HandlerResult,
): Handler {
  return { operation: operation as unknown as Operation, run: run as Handler["run"] };
}

/**
 * Like `handle`, for a public operation with credentials of its own: `admit` resolves with the caller, or throws. Calls
 * for which it throws are counted by client address.
 */
export function handleAdmitted<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, Admitted>(
  operation: Operation<P, Q, B>,
  admit: (admission: Admission<z.infer<P>>) => Promise<Admitted>,
  run: (call: Call<z.infer<P>, z.infer<Q>, z.infer<B>>, admitted: Admitted) => HandlerResult,
): Handler {
  return {
    operation: operation as unknown as Operation,
    admit: admit as NonNullable<Handler["admit"]>,
    run: run as Handler["run"],
  };
}

/** An event with the function that handles it, in the event's own unit. */
export interface EventHandler {
  declaration: EventDeclaration;
  /** Undefined when there is nothing to wait for. */
  run(unit: UnitOfWork, place: Place, data: unknown): Promise<void> | undefined;
}

/** Binds an event of an earlier feature to a function that runs inside the same transaction. */
export function when<Data extends z.ZodType>(
  declaration: EventDeclaration<Data>,
  run: (unit: UnitOfWork, place: Place, data: z.infer<Data>) => Promise<void> | undefined,
): EventHandler {
  return { declaration: declaration as unknown as EventDeclaration, run: run as EventHandler["run"] };
}

export interface FrameHandler {
  type: string;
  data: z.ZodType;
  run(unit: UnitOfWork, caller: Caller, data: unknown): Promise<void>;
  /** Frames of this type in a row begin at once, in order; the feature ensures that the last one wins. */
  lastHolds: boolean;
  /**
   * Returns true for a frame that says that nobody touches the socket's device, and false for one that says that
   * somebody does: the gateway keeps it with the socket, instead of `run`. Undefined for any other frame.
   */
  idle?(data: unknown): boolean | undefined;
}

/** Binds a client frame of the gateway to its handler; a Refusal is sent back as an ERROR frame. */
export function frame<Data extends z.ZodType>(
  type: string,
  data: Data,
  run: (unit: UnitOfWork, caller: Caller, data: z.infer<Data>) => Promise<void>,
  { lastHolds = false, idle }: { lastHolds?: boolean; idle?(data: z.infer<Data>): boolean | undefined } = {},
): FrameHandler {
  return { type, data, run: run as FrameHandler["run"], lastHolds, idle: idle as FrameHandler["idle"] };
}

/** Recurring work. `run` returns whether there is more to do right now. */
export interface Job {
  name: string;
  everyMs: number;
  /** The job deletes old rows, so it does not run while the clock seems ahead. */
  deletesByAge?: boolean;
  /** Each process has work of its own; any other job runs in one of them at a time. */
  isEverywhere?: boolean;
  /** True if this process, as configured, can run the job; one that cannot leaves it to others. */
  isFor?(house: House): boolean;
  run(house: House): Promise<boolean>;
}

/** A command of the operator: `hearth admin disable alice`. Works whether or not the server is running. */
export interface Command {
  name: string;
  /** The arguments, as the help shows them; those in brackets are optional. */
  takes: readonly string[];
  meaning: string;
  /** Returns the lines to print. Throws a Refusal with a sentence for the operator. */
  run(house: House, words: readonly string[]): Promise<string[]>;
}

/** A server's entry in READY: its id and the features' additions. */
export type ReadyEntry = { readonly id: string } & Readonly<Record<string, unknown>>;

/** The shapes of a feature's additions to READY. */
interface ReadyShapes {
  /** Lists and fields beside the servers. */
  whole?: z.ZodObject;
  /** Fields of each server's entry. */
  server?: z.ZodObject;
}

/** The parts of commits that a feature can subscribe to: one that asks for rights alone is not called for a post. */
interface Committed {
  /** Runs once per batch of bus items. */
  any?(house: House): void;
  /** An event that touches members, or that raises the version of a home's rights. */
  rights?(house: House, event: LoggedEvent): void;
  sessionsEnded?(house: House, ended: SessionsEnded): void;
  /** It is unknown what others have committed for a while. */
  lost?(house: House): void;
}

export interface Feature {
  name: string;
  operations: readonly Handler[];
  /** Named `0001_accounts`: the number orders the migrations of all features. */
  migrations?: (engine: Database["engine"], report?: Report) => Record<string, Migration>;
  /** Addresses of the page that hold a secret: the log omits it, and search engines are told to keep none of them. */
  secretPages?: readonly SecretPath[];
  events?: readonly EventDeclaration<z.ZodType>[];
  eventHandlers?: readonly EventHandler[];
  /** The feature's answers to questions of earlier features and of the machine. */
  answers?: readonly Answering[];
  frames?: readonly FrameHandler[];
  jobs?: readonly Job[];
  /**
   * Receives messages of this feature, of this release or a neighbouring one: sent by `house.bus.tell` from another
   * process, or by `unit.tellProcesses` from any.
   */
  told?(house: House, data: unknown): void;
  commands?: readonly Command[];
  /** Checks for `hearth doctor` and the instance's admins. */
  checks?: readonly Check[];
  /** Rows of which there may be too many to delete in the commit that deletes their parent. */
  sweeps?: readonly Sweep[];
  rights?: RightsSource;
  /**
   * Authenticates a token. Returns undefined, synchronously, when the token is not of this feature's kind, and null
   * when it is and is not valid. A bare token itself tells its kind. A token that is not cached is looked up after a
   * call of `lookingUp`, which may throw.
   */
  authenticate?(
    house: House,
    scheme: TokenScheme,
    token: string,
    lookingUp: () => Soon<void>,
  ): Soon<Caller | null> | undefined;
  /** Returns fields of READY about the caller, not about a server. */
  readyOfCaller?(unit: UnitOfWork, caller: Caller): Promise<Record<string, unknown>>;
  /** Returns each server's part of READY, by server id: one query for all servers, not one per server. */
  ready?(
    unit: UnitOfWork,
    caller: Caller,
    serverIds: readonly string[],
  ): Promise<ReadonlyMap<string, Record<string, unknown>>>;
  /**
   * Returns lists that READY has beside `servers`, for these servers, whose entries are as in READY. Called for some of
   * the caller's servers after the others; the lists are concatenated. The call for no servers also names all of its
   * lists.
   */
  readyBeside?(
    unit: UnitOfWork,
    caller: Caller,
    entries: readonly ReadyEntry[],
  ): Promise<Record<string, readonly unknown[]>>;
  readyShapes?: ReadyShapes;
  /**
   * Called when these people signed in with their first socket, when their last one closed a while ago, and when they
   * began or ended to be idle, anywhere.
   */
  connectionsChanged?(house: House, userIds: readonly string[]): void;
  /**
   * Runs in each commit where several processes commit, before its rows are written, for facts that are not certain
   * earlier; it may append rows to the units. It may run again for a unit whose commit failed.
   */
  committing?(house: House, db: Db, units: readonly UnitOfWork[]): Promise<void>;
  /** Hears of every process's commits, before listeners do: for resulting work outside the house. */
  committed?: Committed;
  /** Runs before the server listens, to load what the feature needs by then. */
  opening?(house: House): Promise<void>;
  /**
   * Runs when a server starts, before it listens; not for a command without one. Returns lines for the operator, which
   * are printed after the ready line.
   */
  starting?(house: House): Promise<readonly string[]>;
  /** Stops the feature's timers when the server ends, and stores what is still pending. */
  close?(house: House): Promise<void> | void;
}

/** The source of a token: the cookie, one of two schemes of the Authorization header, or the gateway's AUTH frame. */
export type TokenScheme = "Cookie" | "Bearer" | "Bot" | "AUTH";
