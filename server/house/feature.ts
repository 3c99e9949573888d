// What a feature hands to the machine: its operations, tables, frames, and what it adds to READY. One value a feature.
import type { Migration } from "kysely";
import type { z } from "zod";
import type { EventDeclaration } from "../../protocol/event.ts";
import type { Operation, RateClass } from "../../protocol/operation.ts";
import type { LoggedEvent, SessionsEnded } from "../bus/bus.ts";
import type { Database, Db } from "../database/database.ts";
import type { Report } from "../database/migrate.ts";
import type { Place } from "../place.ts";
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
  /** The person that a bot belongs to. */
  ownerId?: string;
  /** A Set-Cookie for the answer: now and then, so that the cookie of a person who keeps coming does not run out. */
  renewal?: string;
}

/** What a handler may know of the request besides its input. */
export interface RequestFacts {
  userAgent: string;
  /** Origin for links in answers: the public URL, else where the server listens. */
  publicUrl: string;
  /** The request itself, its body unread: for operations that declare `consumes`, and for headers. */
  readonly raw: Request;
  /**
   * Does the work of a dear operation that declares `consumes`, once its body is there: an account has two dear calls
   * carried out at a time. Throws rate_limited (429) when the other two take too long.
   */
  carryOut<T>(work: () => Promise<T>): Promise<T>;
}

/** What a handler gets: the checked input, the caller, and the unit to work in. */
export interface Call<Params, Query, Body> {
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  request: RequestFacts;
  unit: UnitOfWork;
}

type HandlerResult = Promise<unknown | Reply>;

/** What is known of a call to a public operation before its query and body are read: the path, and the headers. */
export interface Admission<Params> {
  house: House;
  params: Params;
  headers: Headers;
  /** The key by which rates of client addresses are counted: an IPv4 address, or the /64 of an IPv6 address. */
  clientKey: string;
  /** Draws one call from the bucket of this name. Throws rate_limited (429). */
  take(rateClass: RateClass, key: string): Soon<void>;
  /** Lets a call that was drawn count as so many. Throws rate_limited (429); the call then still counts as one. */
  countAs(rateClass: RateClass, key: string, cost: number): Soon<void>;
}

/** An operation with the function that carries it out. */
export interface Handler {
  operation: Operation;
  /** Authenticates the caller before the query and body are read. What it resolves with is handed to `run`. */
  admit?(admission: Admission<unknown>): Promise<unknown>;
  run(call: Call<unknown, unknown, unknown>, admitted: unknown): HandlerResult;
}

/** Binds an operation to the function that carries it out. */
export function handle<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  operation: Operation<P, Q, B>,
  run: (call: Call<z.infer<P>, z.infer<Q>, z.infer<B>>) => HandlerResult,
): Handler {
  return { operation: operation as unknown as Operation, run: run as Handler["run"] };
}

/**
 * The same for a public operation with credentials of its own: `admit` resolves with the caller, or throws. Calls for
 * which it throws are counted by client address.
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

/** An event with the function that hears it, in the event's own unit. */
export interface EventHandler {
  declaration: EventDeclaration;
  /** Undefined where nothing has to be waited for. */
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
  /** Frames of this type in a row begin at once, in their order; the feature makes sure that the last one holds. */
  lastHolds: boolean;
}

/** Binds a client frame of the gateway to what it does; a Refusal is sent back as an ERROR frame. */
export function frame<Data extends z.ZodType>(
  type: string,
  data: Data,
  run: (unit: UnitOfWork, caller: Caller, data: z.infer<Data>) => Promise<void>,
  { lastHolds } = { lastHolds: false },
): FrameHandler {
  return { type, data, run: run as FrameHandler["run"], lastHolds };
}

/** Work that recurs. `run` returns whether there is more to do right now. */
export interface Job {
  name: string;
  everyMs: number;
  /** The job deletes old rows, so it does not run while the clock seems ahead. */
  deletesByAge?: boolean;
  /** Each process has work of its own; other jobs are done by one of them at a time. */
  isEverywhere?: boolean;
  /** Whether this process can do it, as it is set up; one that cannot does not keep others from it. */
  isFor?(house: House): boolean;
  run(house: House): Promise<boolean>;
}

/** A command of the operator: `hearth admin disable alice`. It works while the server runs, and while it does not. */
export interface Command {
  name: string;
  /** The words that it takes, as the help shows them; words in brackets may be missing. */
  takes: readonly string[];
  meaning: string;
  /** Returns the lines to print. Throws a Refusal with a sentence for the operator. */
  run(house: House, words: readonly string[]): Promise<string[]>;
}

/** A server's entry in READY: its id and what the features add to it. */
export type ReadyEntry = { readonly id: string } & Readonly<Record<string, unknown>>;

/** The shapes of what a feature adds to READY. */
interface ReadyShapes {
  /** Beside the servers. */
  whole?: z.ZodObject;
  /** To each of the servers. */
  server?: z.ZodObject;
}

/** What a feature can hear of commits. A post, say, is none of its business where it asks for rights alone. */
interface Committed {
  /** Runs once for what is heard together, whatever that is. */
  any?(house: House): void;
  /** An event that touches members, or that raises the version of what is remembered of a server. */
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
  events?: readonly EventDeclaration<z.ZodType>[];
  eventHandlers?: readonly EventHandler[];
  /** Its answers to the questions of earlier features and of the machine. */
  answers?: readonly Answering[];
  frames?: readonly FrameHandler[];
  jobs?: readonly Job[];
  /**
   * Hears what this feature told, in this release or a neighbouring one: with `house.bus.tell` in another process, with
   * `unit.tellProcesses` in any.
   */
  told?(house: House, data: unknown): void;
  commands?: readonly Command[];
  /** What `hearth doctor` and the admins of the instance look at. */
  checks?: readonly Check[];
  /** Rows of which there may be too many to delete in the commit that deletes what they hang on. */
  sweeps?: readonly Sweep[];
  rights?: RightsSource;
  /**
   * Authenticates a token. Returns undefined, and at once, when the token is none of this feature's, null when it is and
   * does not count. A bare token says by itself whose it is. A token that is not remembered is looked up, after
   * `lookingUp` has been asked, which may throw.
   */
  authenticate?(
    house: House,
    scheme: TokenScheme,
    token: string,
    lookingUp: () => Soon<void>,
  ): Soon<Caller | null> | undefined;
  /** Returns fields of READY that concern the caller and no server. */
  readyOfCaller?(unit: UnitOfWork, caller: Caller): Promise<Record<string, unknown>>;
  /** Returns by server id what READY says of it: one query for all servers, not one a server. */
  ready?(
    unit: UnitOfWork,
    caller: Caller,
    serverIds: readonly string[],
  ): Promise<ReadonlyMap<string, Record<string, unknown>>>;
  /**
   * Returns lists that READY has beside `servers`, as far as they concern these servers, whose entries are as READY will
   * show them. Called for some of the caller's servers after the others; the lists are joined. It names all its lists
   * in the call for no servers, too.
   */
  readyBeside?(
    unit: UnitOfWork,
    caller: Caller,
    entries: readonly ReadyEntry[],
  ): Promise<Record<string, readonly unknown[]>>;
  readyShapes?: ReadyShapes;
  /** These people signed in with their first socket, or their last one closed some seconds ago, at whatever process. */
  cameOrWent?(house: House, userIds: readonly string[]): void;
  /**
   * Runs in each commit where several processes commit, before its rows are written, for what cannot be known for certain
   * earlier; it may append rows to the units. It may run again for a unit whose commit failed.
   */
  committing?(house: House, db: Db, units: readonly UnitOfWork[]): Promise<void>;
  /** Hears what any process committed, before listeners do: for work outside the house that follows from it. */
  committed?: Committed;
  /** Runs before the server listens, for what the feature has to know by then. */
  opening?(house: House): Promise<void>;
  /**
   * Runs when a server starts, before it listens; not for a command without one. Returns lines for the operator, which
   * are printed after the one that says that the server is ready.
   */
  starting?(house: House): Promise<readonly string[]>;
  /** Stops the feature's timers when the server ends, and stores what waits to be stored. */
  close?(house: House): Promise<void> | void;
}

/** Where a token stood: in the cookie, after one of two words in a header, or bare in the gateway's frame AUTH. */
export type TokenScheme = "Cookie" | "Bearer" | "Bot" | "AUTH";
