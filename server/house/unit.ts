// A unit of work: an operation's way to read, and what it wants written and sent once its commit is durable.
import type { z } from "zod";
import { timeText } from "../../protocol/clock.ts";
import type { EventDeclaration, Forgotten } from "../../protocol/event.ts";
import type { BusItem, LiveFrame, LiveRound } from "../bus/bus.ts";
import { cachedHomes } from "../cache.ts";
import type { Append, Db, Row, TableName } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import {
  type Home,
  type Place,
  type StreamAudience,
  type StreamKey,
  serverStream,
  streamOnWire,
} from "../place.ts";
import type { Caller } from "./feature.ts";
import { lockUnlessHeld } from "./held-streams.ts";
import type { House } from "./house.ts";
import { OwnTransactionNeeded } from "./own-transaction.ts";
import type { Question } from "./question.ts";
import { Json } from "./reply.ts";

/** An event on its way to the log; it gets its number inside the commit. */
export interface PendingEvent {
  declaration: EventDeclaration;
  place: Place;
  data: unknown;
  /** The data as JSON, made once: for the row, and for every socket. */
  json: string;
  touches: readonly string[];
  forgets: Forgotten;
  ends: string | null;
  /** Names the earlier events of the stream that this one replaces; null for an event that replaces none. */
  replaces: string | null;
  /** The id that has to rise with the numbers of the log; null for an event without one. */
  risingId: string | null;
  at: number;
}

export interface PendingAppend extends Append {
  /**
   * With `skip`, a taken key does not fail the commit; the operation runs again, alone. The first column of such a row
   * is unique, and the columns of its key follow.
   */
  ifTaken: "fail" | "skip";
}

/**
 * `cached`: reads may come from the process's caches. `direct`: everything is read through `db`. `transaction`: the
 * same, in a transaction of the unit's own. `snapshot`: `db` shows a single moment, so that no fact needs to be read
 * twice.
 */
type Reading = "cached" | "direct" | "transaction" | "snapshot";

/** One operation's access to the database and to its listeners. */
export class UnitOfWork {
  readonly house: House;
  readonly db: Db;
  readonly reading: Reading;
  /** The person or bot that called; undefined for jobs, strangers and the operator. */
  readonly caller: Caller | undefined;
  /** True if a transaction is open until the work is done: others wait for it, so it should not wait for them. */
  isWaitedFor: boolean;
  readonly events: PendingEvent[] = [];
  readonly appends: PendingAppend[] = [];
  readonly items: BusItem[] = [];
  /** Lines for the log, which are written once the change is committed. */
  readonly lines: (readonly [facts: object, sentence: string])[] = [];
  /** By home: the version of the cached facts that were read. A shared commit compares it again. */
  readonly seen = new Map<Home, number>();
  readonly #ofThisMoment = new Map<string, unknown>();

  constructor(house: House, db: Db, reading: Reading, caller?: Caller) {
    this.house = house;
    this.db = db;
    this.reading = reading;
    this.caller = caller;
    this.isWaitedFor = reading === "transaction";
  }

  /** Runs the work in a transaction of its own, for the same caller. Throws OwnTransactionNeeded inside of another. */
  async write<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    if (this.isWaitedFor) throw new OwnTransactionNeeded();
    return this.house.write(work, this.caller);
  }

  /** Asks the features that answer this question. Returns their answers in the order of the features. */
  ask<Args extends readonly unknown[], Answer>(
    question: Question<Args, Answer>,
    ...args: Args
  ): Promise<Answer[]> {
    return this.house.answerings.ask(this, question, args);
  }

  /**
   * Writes the event to the streams of its place, in the commit of this unit; its audience hears it afterwards.
   * `touches` are added to those of the declaration. Returns the data as the JSON that every listener gets.
   */
  emit<Data extends z.ZodType>(
    declaration: EventDeclaration<Data>,
    place: Place,
    data: z.infer<Data>,
    touches: readonly string[] = [],
  ): Json {
    const json = JSON.stringify(data);
    const forgets = declaration.forgets?.(data) ?? [];
    // Processes read the log of a server for such events; a home without one has to tell them.
    if ((declaration.revokes || forgets.length > 0) && !logOf(place)) this.drop(cachedHomes, place.home);
    this.events.push({
      declaration: declaration as unknown as EventDeclaration,
      place,
      data,
      json,
      touches: [...(declaration.touches?.(data) ?? []), ...touches],
      forgets,
      ends: declaration.ends?.(data) ?? null,
      replaces: declaration.replaces ? `${declaration.type} ${declaration.replaces(data)}` : null,
      risingId: declaration.risingId?.(data) ?? null,
      at: Date.now(),
    });
    return new Json(json);
  }

  /**
   * Sends a live frame to the audience of a place, without a number and without a row. The sockets of `exceptUserId` do
   * not get it.
   */
  tell<Data extends z.ZodType>(
    declaration: EventDeclaration<Data>,
    to: Place,
    data: z.infer<Data>,
    exceptUserId?: string,
  ): void {
    for (const stream of to.streams)
      this.items.push(liveFrame(declaration.type, { stream, audience: to.audience }, data, exceptUserId));
  }

  /**
   * Sends a live frame about a person (`about`, their id) to the members of all these servers, without a number and
   * without a row.
   */
  tellRound<Data extends z.ZodType>(
    declaration: EventDeclaration<Data>,
    about: string,
    serverIds: readonly string[],
    data: z.infer<Data>,
  ): void {
    this.items.push(roundOf(declaration, about, serverIds, data));
  }

  /** Writes a line to the operator's log, once the change is committed. For units with a transaction of their own. */
  log(facts: object, sentence: string): void {
    this.lines.push([facts, sentence]);
  }

  /** Adds a row; it is inserted, together with others of its table, when the unit commits. */
  append<T extends TableName>(table: T, row: Tables[T], ifTaken: PendingAppend["ifTaken"] = "fail"): void {
    this.appends.push({ table, row: row as Row, ifTaken });
  }

  /**
   * Drops a key of a cache in every process, once the change is committed; the key `*` drops all. `place`: the place
   * whose events invalidate such values, if only processes that follow its home cache them. A home without a log is
   * followed by none, so every process is told.
   */
  drop(cache: string, key: string, place?: Place): void {
    const stream = place && logOf(place);
    this.items.push({ kind: "dropped", cache, key, ...(stream && { stream }) });
  }

  /** Sends a message to a feature in every process, once the change is committed; it is never lost. */
  tellProcesses(feature: string, data: unknown): void {
    this.items.push({ kind: "word", to: feature, data });
  }

  /** Returns a fact about the structure of a home, cached until an event of that home invalidates it. */
  remember<T>(home: Home, part: string, load: (db: Db) => Promise<T>): Promise<T> | T {
    if (this.reading === "direct" || this.reading === "transaction") return load(this.db);
    if (this.reading === "snapshot") {
      const name = `${home} ${part}`;
      if (!this.#ofThisMoment.has(name)) this.#ofThisMoment.set(name, load(this.db));
      return this.#ofThisMoment.get(name) as Promise<T>;
    }
    const { version, parts } = this.house.remembered(home);
    // The version is read before the facts: facts newer than their version only cost a second read.
    if (version instanceof Promise) return version.then(() => this.remember(home, part, load));
    this.#note(home, version);
    return parts.get(part, () => load(this.house.database.read)) as Promise<T> | T;
  }

  /** The first read counts: by a second one, an event may have removed what the first relied on. */
  #note(home: Home, version: number | undefined): void {
    if (version !== undefined && !this.seen.has(home)) this.seen.set(home, version);
  }

  /**
   * Returns one fact of many servers by server id, loaded in one query. Only a snapshot caches it: one person in very
   * many servers would evict everything else from the process's cache.
   */
  async rememberEach<T>(
    serverIds: readonly string[],
    part: string,
    load: (serverIds: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    if (this.reading !== "snapshot") return load(serverIds);
    const nameOf = (id: string) => `${serverStream(id)} ${part}`;
    const unknown = serverIds.filter((id) => !this.#ofThisMoment.has(nameOf(id)));
    const loaded = unknown.length > 0 ? await load(unknown) : new Map<string, T>();
    for (const id of unknown) this.#ofThisMoment.set(nameOf(id), loaded.get(id));
    const values = new Map<string, T>();
    for (const id of serverIds) {
      const value = await (this.#ofThisMoment.get(nameOf(id)) as T | undefined);
      if (value !== undefined && value !== null) values.set(id, value);
    }
    return values;
  }

  /** Returns many facts of one home by part, loaded together. */
  async rememberParts<T>(
    home: Home,
    parts: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    if (this.reading !== "cached") return load(parts);
    // The cached home is fetched before its facts are read: if it is dropped meanwhile, the facts go into an object
    // that no unit reads any more.
    const cached = this.house.remembered(home);
    this.#note(home, await cached.version);
    const { drops } = cached.parts;
    const values = new Map<string, T>();
    const missing = parts.filter((part) => {
      const known = cached.parts.peek(part) as T | undefined;
      if (known !== undefined) values.set(part, known);
      return known === undefined;
    });
    if (missing.length > 0) {
      for (const [part, value] of await load(missing)) {
        // If a part was dropped meanwhile, these values may have been read before the change.
        if (cached.parts.drops === drops) cached.parts.put(part, value);
        values.set(part, value);
      }
    }
    return values;
  }

  /** Locks the home until the commit of a transaction, so that the rights that were checked still hold then. */
  lock(home: Home): Promise<void> | undefined {
    return this.locksRows ? lockUnlessHeld(this.house, this.db, home) : undefined;
  }

  /** True if `db` is a transaction of the unit's own. */
  get alone(): boolean {
    return this.reading === "transaction";
  }

  /** True if a row that must not change until the commit has to be locked when it is read. */
  get locksRows(): boolean {
    return this.alone && this.house.database.locksRows;
  }

  get changes(): boolean {
    return this.events.length > 0 || this.appends.length > 0;
  }
}

/** Returns the log of the place's home; undefined where the home has none. */
function logOf({ home, streams }: Place): StreamKey | undefined {
  return streams.find((stream) => stream === home);
}

/** Returns a live frame about a person (`about`, their id) for the members of all these servers. */
export function roundOf<Data extends z.ZodType>(
  { type }: EventDeclaration<Data>,
  about: string,
  serverIds: readonly string[],
  data: z.infer<Data>,
): LiveRound {
  return { kind: "round", about, serverIds, type, ts: timeText(Date.now()), json: JSON.stringify(data) };
}

/** Returns a frame without a number, for an audience of a stream. */
export function liveFrame(type: string, to: StreamAudience, data: unknown, exceptUserId?: string): LiveFrame {
  const frame = frameText(type, to.stream, data);
  return { kind: "live", to, frame, ...(exceptUserId && { exceptUserId }) };
}

/** Returns an event as a frame without a number: for listeners to whom it is news, though nothing happened. */
export function frameOf<Data extends z.ZodType>(
  declaration: EventDeclaration<Data>,
  stream: StreamKey,
  data: z.infer<Data>,
): string {
  return frameText(declaration.type, stream, data);
}

function frameText(type: string, stream: StreamKey, data: unknown): string {
  return `{"type":"${type}",${streamOnWire(stream)},"ts":"${timeText(Date.now())}","data":${JSON.stringify(data)}}`;
}
