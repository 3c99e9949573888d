// What a feature hands to the machine: its operations, tables, frames, and what it adds to READY. One value a feature.
import type { Migration } from "kysely";
import type { z } from "zod";
import type { EventDeclaration } from "../../protocol/event.ts";
import type { Operation, RateClass } from "../../protocol/operation.ts";
import type { BusItem } from "../bus/bus.ts";
import type { Database } from "../database/database.ts";
import type { Report } from "../database/migrate.ts";
import type { Place } from "../place.ts";
import type { House } from "./house.ts";
import type { Soon } from "./known.ts";
import type { Answering } from "./question.ts";
import type { Reply } from "./reply.ts";
import type { RightsSource } from "./standing.ts";
import type { Sweep } from "./sweeping.ts";
import type { Unit } from "./unit.ts";

/** Who calls. A session belongs to a person; a bot has a token instead. */
export interface Caller {
  userId: string;
  isBot: boolean;
  sessionId: string;
  /** A Set-Cookie for the answer: now and then, so that the cookie of somebody who keeps coming does not run out. */
  renewal?: string;
}

/** What a handler may know of the request besides its input. */
export interface RequestFacts {
  userAgent: string;
  /** Origin for links in answers: the public URL, else where the server listens. */
  publicUrl: string;
  /** The request itself, its body unread: for operations that declare `consumes`, and for headers. */
  readonly raw: Request;
}

export interface Call<Params, Query, Body> {
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  request: RequestFacts;
  unit: Unit;
}

type HandlerResult = Promise<unknown | Reply>;

/** What is known of a call to a public operation before anything of it is read: where it goes, and its headers. */
export interface Admission<Params> {
  house: House;
  params: Params;
  headers: Headers;
  /** Whom the rates by address count: IPv6 by /64. */
  clientKey: string;
  /** Draws one call from the bucket of this name. Throws rate_limited (429). */
  take(rateClass: RateClass, key: string): void;
}

export interface Handler {
  operation: Operation;
  /** Finds out whether somebody known calls, before their query and body are read; `run` gets what it answers. */
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

/** The same for a public operation that some may call: `admit` says who, or throws; others are counted by address. */
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

export interface Listener {
  declaration: EventDeclaration;
  /** Undefined where nothing has to be waited for. */
  hear(unit: Unit, place: Place, data: unknown): Promise<void> | undefined;
}

/** A later feature hears an earlier one's event, inside the same transaction. */
export function when<Data extends z.ZodType>(
  declaration: EventDeclaration<Data>,
  hear: (unit: Unit, place: Place, data: z.infer<Data>) => Promise<void> | undefined,
): Listener {
  return { declaration: declaration as unknown as EventDeclaration, hear: hear as Listener["hear"] };
}

export interface FrameHandler {
  type: string;
  data: z.ZodType;
  run(unit: Unit, caller: Caller, data: unknown): Promise<void>;
  /** Several in a row begin at once, in their order: the feature sees to it that the last one holds. */
  lastHolds: boolean;
}

/** A client frame of the gateway and what it does; refusals are answered as ERROR frames. */
export function frame<Data extends z.ZodType>(
  type: string,
  data: Data,
  run: (unit: Unit, caller: Caller, data: z.infer<Data>) => Promise<void>,
  { lastHolds } = { lastHolds: false },
): FrameHandler {
  return { type, data, run: run as FrameHandler["run"], lastHolds };
}

/** Work that recurs; answers whether there is more of it right now. */
export interface Job {
  name: string;
  everyMs: number;
  /** It deletes what has become old: not while the clock is doubted. */
  deletesByAge?: boolean;
  run(house: House): Promise<boolean>;
}

/** What the operator does from the command line: `hearth admin disable alice`. Works without a door as well. */
export interface Command {
  name: string;
  /** The words it takes, as the help shows them; those in brackets may be missing. */
  takes: readonly string[];
  meaning: string;
  /** Answers the lines to print; throws a Refusal with a sentence. */
  run(house: House, words: readonly string[]): Promise<string[]>;
}

export interface Feature {
  name: string;
  operations: readonly Handler[];
  /** Named `0001_accounts`: the number orders the migrations of all features. */
  migrations?: (engine: Database["engine"], report?: Report) => Record<string, Migration>;
  events?: readonly EventDeclaration<z.ZodType>[];
  hears?: readonly Listener[];
  /** What it can tell earlier features, and the machine, that ask for it. */
  answers?: readonly Answering[];
  frames?: readonly FrameHandler[];
  jobs?: readonly Job[];
  commands?: readonly Command[];
  /** Of which of its rows there may be too many to go at once with what they hang on. */
  sweeps?: readonly Sweep[];
  rights?: RightsSource;
  /**
   * Recognises a token; undefined, and at once, when it is none of this feature's, null when it is and does not count.
   * A bare one says by itself whose it is. What is not remembered is looked up, after `lookingUp` has been asked, which
   * may throw.
   */
  authenticate?(
    house: House,
    scheme: TokenScheme,
    token: string,
    lookingUp: () => void,
  ): Soon<Caller | null> | undefined;
  /** READY's `user`. */
  self?(unit: Unit, caller: Caller): Promise<unknown>;
  /** What READY says of each of these servers, by id: the `readyFields`; a question for all of them, not one a server. */
  ready?(
    unit: Unit,
    caller: Caller,
    serverIds: readonly string[],
  ): Promise<ReadonlyMap<string, Record<string, unknown>>>;
  readyFields?: readonly string[];
  /** The first socket of a person came, the last one went. */
  connected?(house: House, userId: string): void;
  disconnected?(house: House, userId: string): void;
  /** What any process committed, before its listeners hear it: for work outside the house that follows from it. */
  committed?(house: House, items: readonly BusItem[]): void;
  /** What it needs to know before the door opens. */
  opening?(house: House): Promise<void>;
  /** Lets go of timers at the end. */
  close?(house: House): void;
}

/** How a token came: in the cookie, after one of two words in a header, or bare in the gateway's frame AUTH. */
export type TokenScheme = "Cookie" | "Bearer" | "Bot" | "AUTH";
