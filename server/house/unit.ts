// A unit of work: what one operation reads through, and what it wants changed and told once its commit is durable.

import type { z } from "zod";
import { timeText } from "../../protocol/clock.ts";
import type { EventDeclaration, Forgotten } from "../../protocol/event.ts";
import type { BusItem, LiveFrame } from "../bus/bus.ts";
import type { Append, Db, Row, TableName } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { idOf, isOfServer, type Place, type StreamKey, serverStream } from "../place.ts";
import type { Caller } from "./feature.ts";
import type { House } from "./house.ts";
import type { Question } from "./question.ts";
import { Json } from "./reply.ts";
import { lockStream } from "./streams.ts";

/** An event on its way to the log; it gets its number inside the commit. */
export interface PendingEvent {
  declaration: EventDeclaration;
  place: Place;
  data: unknown;
  /** The data as JSON, made once: for the row, for every socket. */
  json: string;
  touches: readonly string[];
  forgets: Forgotten;
  ends: string | null;
  /** What is to rise with the numbers of the log; null where nothing does. */
  risingId: string | null;
  at: number;
}

export interface PendingAppend extends Append {
  /** With `skip`: a taken key does not fail the commit; the operation runs again, alone. */
  ifTaken: "fail" | "skip";
}

/**
 * `cached`: reads may come from what the process remembers. `direct`: everything is read through `db`. `transaction`:
 * the same, in a transaction that the unit has for itself. `snapshot`: `db` shows one moment only, so that no fact needs
 * to be read twice.
 */
export type Reading = "cached" | "direct" | "transaction" | "snapshot";

export class Unit {
  readonly house: House;
  readonly db: Db;
  readonly reading: Reading;
  /** The person or bot who asked for this; nobody where it happens by itself, or a stranger or the operator asked. */
  readonly caller: Caller | undefined;
  readonly events: PendingEvent[] = [];
  readonly appends: PendingAppend[] = [];
  readonly items: BusItem[] = [];
  /** By stream: the version that the remembered facts had. Checked again inside a shared commit. */
  readonly seen = new Map<StreamKey, number>();
  readonly #ofThisMoment = new Map<string, unknown>();

  constructor(house: House, db: Db, reading: Reading, caller?: Caller) {
    this.house = house;
    this.db = db;
    this.reading = reading;
    this.caller = caller;
  }

  /** A transaction of its own, asked for by the same caller: for handlers in the lane `own`. */
  write<T>(work: (unit: Unit) => Promise<T>): Promise<T> {
    return this.house.write(work, this.caller);
  }

  /** Asks the features that answer this question; returns what each says, in the order of the features. */
  ask<Args extends readonly unknown[], Answer>(
    question: Question<Args, Answer>,
    ...args: Args
  ): Promise<Answer[]> {
    return this.house.answerings.ask(this, question, args);
  }

  /**
   * Numbers the event in the stream of its place, in the commit of this unit, and tells its audience afterwards.
   * Returns the data as the JSON that all of them get.
   */
  emit<Data extends z.ZodType>(
    declaration: EventDeclaration<Data>,
    place: Place,
    data: z.infer<Data>,
    touches: readonly string[] = [],
  ): Json {
    const json = JSON.stringify(data);
    this.events.push({
      declaration: declaration as unknown as EventDeclaration,
      place,
      data,
      json,
      touches: [...(declaration.touches?.(data) ?? []), ...touches],
      forgets: declaration.forgets?.(data) ?? [],
      ends: declaration.ends?.(data) ?? null,
      risingId: declaration.risingId?.(data) ?? null,
      at: Date.now(),
    });
    return new Json(json);
  }

  /** Tells the listeners of the moment, without a number and without a row. */
  tell<Data extends z.ZodType>(
    declaration: EventDeclaration<Data>,
    to: Place,
    data: z.infer<Data>,
    exceptUserId?: string,
  ): void {
    this.items.push(liveFrame(declaration.type, to, data, exceptUserId));
  }

  /** Tells the members of all these servers how somebody is now, without a number and without a row. */
  tellRound<Data extends z.ZodType>(
    { type }: EventDeclaration<Data>,
    about: string,
    serverIds: readonly string[],
    data: z.infer<Data>,
  ): void {
    const json = JSON.stringify(data);
    this.items.push({ kind: "round", about, serverIds, type, ts: timeText(Date.now()), json });
  }

  /** Hands a row over; it is inserted, together with others of its kind, when the unit commits. */
  append<T extends TableName>(table: T, row: Tables[T], ifTaken: PendingAppend["ifTaken"] = "fail"): void {
    this.appends.push({ table, row: row as Row, ifTaken });
  }

  /** Drops a cached value everywhere, once the change is committed. */
  drop(cache: string, key: string): void {
    this.items.push({ kind: "dropped", cache, key });
  }

  /** A fact about a server's structure, remembered until an event of that server changes it. */
  remember<T>(serverId: string, part: string, load: (db: Db) => Promise<T>): Promise<T> | T {
    if (this.reading === "direct" || this.reading === "transaction") return load(this.db);
    if (this.reading === "snapshot") {
      const name = `${serverId} ${part}`;
      if (!this.#ofThisMoment.has(name)) this.#ofThisMoment.set(name, load(this.db));
      return this.#ofThisMoment.get(name) as Promise<T>;
    }
    const { stream, version, parts } = this.house.remembered(serverId);
    // The version is read before the facts: facts that are newer than it only cost a second look.
    if (version instanceof Promise) return version.then(() => this.remember(serverId, part, load));
    if (version !== undefined) this.seen.set(stream, version);
    return parts.get(part, () => load(this.house.database.read)) as Promise<T> | T;
  }

  /**
   * One fact of many servers, loaded together, by server. Only a snapshot remembers them: one person in very many
   * servers would push all others out of what the process remembers.
   */
  async rememberEach<T>(
    serverIds: readonly string[],
    part: string,
    load: (serverIds: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    if (this.reading !== "snapshot") return load(serverIds);
    const unknown = serverIds.filter((id) => !this.#ofThisMoment.has(`${id} ${part}`));
    const loaded = unknown.length > 0 ? await load(unknown) : new Map<string, T>();
    for (const id of unknown) this.#ofThisMoment.set(`${id} ${part}`, loaded.get(id));
    const values = new Map<string, T>();
    for (const id of serverIds) {
      const value = await (this.#ofThisMoment.get(`${id} ${part}`) as T | undefined);
      if (value !== undefined && value !== null) values.set(id, value);
    }
    return values;
  }

  /** Many facts of one server, loaded together, by part. */
  async rememberParts<T>(
    serverId: string,
    parts: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    if (this.reading !== "cached") return load(parts);
    // Held from before its facts are read: when it is dropped meanwhile, they are kept where nobody looks any more.
    const snapshot = this.house.remembered(serverId);
    const version = await snapshot.version;
    if (version !== undefined) this.seen.set(snapshot.stream, version);
    const { drops } = snapshot.parts;
    const values = new Map<string, T>();
    const missing = parts.filter((part) => {
      const known = snapshot.parts.peek(part) as T | undefined;
      if (known !== undefined) values.set(part, known);
      return known === undefined;
    });
    if (missing.length > 0) {
      for (const [part, value] of await load(missing)) {
        // A part that was dropped meanwhile may have been read before.
        if (snapshot.parts.drops === drops) snapshot.parts.put(part, value);
        values.set(part, value);
      }
    }
    return values;
  }

  /** From here to the commit nobody else changes this server: the rights that are checked are the rights that hold. */
  lock(serverId: string): Promise<void> | undefined {
    return this.locksRows ? lockStream(this.db, serverStream(serverId)) : undefined;
  }

  /** Whether `db` is a transaction that this unit has for itself. */
  get alone(): boolean {
    return this.reading === "transaction";
  }

  /** Whether a row that must stay as it is until the commit has to be locked when it is read. */
  get locksRows(): boolean {
    return this.alone && this.house.database.locksRows;
  }

  get changes(): boolean {
    return this.events.length > 0 || this.appends.length > 0;
  }
}

function liveFrame(type: string, to: Place, data: unknown, exceptUserId?: string): LiveFrame {
  const frame = frameText(type, data, isOfServer(to.stream) ? idOf(to.stream) : undefined);
  return { kind: "live", to, frame, ...(exceptUserId && { exceptUserId }) };
}

/** An event of a server as one that has no number: for those to whom it is news, though nothing happened. */
export function frameOf<Data extends z.ZodType>(
  declaration: EventDeclaration<Data>,
  serverId: string,
  data: z.infer<Data>,
): string {
  return frameText(declaration.type, data, serverId);
}

function frameText(type: string, data: unknown, serverId: string | undefined): string {
  const server = serverId === undefined ? "" : `"server_id":"${serverId}",`;
  return `{"type":"${type}",${server}"ts":"${timeText(Date.now())}","data":${JSON.stringify(data)}}`;
}
