// The numbered log: every event of a stream is a row, numbered in the transaction of its change.
import { timeText } from "../../protocol/clock.ts";
import type { LoggedEvent } from "../bus/bus.ts";
import type { Database, Db } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { type Home, hasLog, isOfPerson, type StreamKey, streamOnWire } from "../place.ts";
import { deleteReplaced } from "./log-table.ts";
import {
  advanceStream,
  advanceStreams,
  advanceStreamWithIds,
  type Head,
  type Ids,
  type Step,
} from "./streams.ts";
import type { PendingEvent } from "./unit.ts";

/** Thrown when a fact that a check relied on changed before the check's commit. */
export class Stale extends Error {
  /** By home whose version has changed: its version now, undefined when the home is gone. */
  readonly versions: ReadonlyMap<Home, number | undefined>;

  constructor(versions: ReadonlyMap<Home, number | undefined>) {
    super("what a commit relied on changed before it");
    this.versions = versions;
  }
}

/**
 * Numbers the events of one commit and inserts their rows, in the transaction `db`: a row for each stream of their
 * places. `seen`: by home, the versions that checks relied on. Throws Stale when one of them no longer holds, and
 * Overtaken when a home has an id above an event's id.
 */
export async function numberEvents(
  database: Database,
  db: Db,
  events: readonly PendingEvent[],
  seen: ReadonlyMap<Home, ReadonlySet<number>>,
): Promise<LoggedEvent[]> {
  if (events.length === 0) return [];
  const steps = stepsOf(events);
  const logged: LoggedEvent[] = [];
  const rows: Tables["events"][] = [];
  const stale = new Map<Home, number | undefined>();
  const versions = new Map<Home, number>();
  let personal: ReadonlyMap<Home, Head> | undefined;
  for (const { home, logs, step, ids } of steps) {
    // Only now: homes without a log sort before people, and their rows are locked first.
    if (!ids && isOfPerson(home)) personal ??= await advancePersonal(database, db, steps);
    const head =
      personal?.get(home) ?? (await (ids ? advanceStreamWithIds(db, step, ids) : advanceStream(db, step)));
    const version = head && head.version - step.bump;
    if (!head || [...(seen.get(home) ?? [])].some((each) => each !== version)) {
      stale.set(home, version);
      continue;
    }
    // A home without a log sorts before the streams of its events.
    versions.set(home, head.version);
    let seq = head.seq - logs.length;
    for (const pending of logs) {
      const version = versions.get(pending.place.home);
      const event = toLogged(pending, { stream: home as StreamKey, seq: ++seq, version });
      logged.push(event);
      rows.push(toRow(event, pending));
    }
  }
  if (stale.size > 0) throw new Stale(stale);
  await database.insertRows(db, "events", await withoutReplaced(db, rows), false);
  return logged;
}

/** The change of a home's row by a commit. */
interface HomeStep {
  home: Home;
  /** The events that its log gets; none where it has no log. */
  logs: PendingEvent[];
  step: Step;
  /** The lowest and highest rising ids of the events whose home it is. */
  ids: Ids | undefined;
}

/** Returns the steps of all homes and streams of these events in a global order, so that two commits never deadlock. */
function stepsOf(events: readonly PendingEvent[]): HomeStep[] {
  const own = Map.groupBy(events, ({ place }) => place.home);
  const logs = new Map<Home, PendingEvent[]>([...own.keys()].map((home) => [home, []]));
  for (const event of inOrderOfIds(events, own))
    for (const stream of event.place.streams) add(logs, stream, event);
  return [...logs.keys()].sort().map((home) => {
    const mine = logs.get(home) ?? [];
    const step = { stream: home, count: mine.length, bump: bumpOf(own.get(home) ?? []) };
    return { home, logs: mine, step, ids: idsOf(own.get(home) ?? []) };
  });
}

function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Fewer streams than this are advanced one by one, by statements that are already compiled. */
const manyStreams = 4;

/** Advances the streams of many people at once, if they are many: read markers come by the hundred. */
async function advancePersonal(
  database: Database,
  db: Db,
  all: readonly HomeStep[],
): Promise<ReadonlyMap<Home, Head>> {
  const steps = all.flatMap(({ home, ids, step }) => (!ids && isOfPerson(home) ? step : []));
  return steps.length < manyStreams ? new Map() : advanceStreams(database, db, steps);
}

function bumpOf(events: readonly PendingEvent[]): 0 | 1 {
  return events.some(raisesVersion) ? 1 : 0;
}

/** In a home without a log the people are facts, too, and decide who hears an event: each change of facts counts. */
function raisesVersion({ declaration, forgets, place }: PendingEvent): boolean {
  return declaration.revokes || (forgets.length > 0 && !hasLog(place.home));
}

function idsOf(events: readonly PendingEvent[]): Ids | undefined {
  const ids = events.flatMap(({ risingId }) => risingId ?? []).sort();
  const [first, last] = [ids[0], ids.at(-1)];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** Deletes the logged events that these rows replace. Returns the rows that no later one of them replaces. */
async function withoutReplaced(db: Db, rows: readonly Tables["events"][]): Promise<Tables["events"][]> {
  const newest = new Map<string, Tables["events"]>();
  for (const row of rows) if (row.replaces !== null) newest.set(`${row.stream} ${row.replaces}`, row);
  if (newest.size === 0) return [...rows];
  await deleteReplaced(db, [...newest.values()]);
  return rows.filter((row) => row.replaces === null || newest.get(`${row.stream} ${row.replaces}`) === row);
}

/**
 * Sorts the events of each home by their rising ids, in the places that they have among all: operations may reach a
 * shared commit in another order than they made their ids.
 */
function inOrderOfIds(
  events: readonly PendingEvent[],
  byHome: ReadonlyMap<Home, readonly PendingEvent[]>,
): readonly PendingEvent[] {
  const unsorted = [...byHome].filter(([, own]) => !areRising(own));
  if (unsorted.length === 0) return events;
  const sorted = new Map(
    unsorted.map(([home, own]) => {
      const withIds = own.filter(hasId);
      return [home, withIds.sort((one, other) => (idOfEvent(one) < idOfEvent(other) ? -1 : 1)).values()];
    }),
  );
  return events.map((event) => (hasId(event) && sorted.get(event.place.home)?.next().value) || event);
}

function hasId({ risingId }: PendingEvent): boolean {
  return risingId !== null;
}

function areRising(events: readonly PendingEvent[]): boolean {
  let last = "";
  for (const { risingId } of events) {
    if (risingId === null) continue;
    if (risingId <= last) return false;
    last = risingId;
  }
  return true;
}

function idOfEvent({ risingId }: PendingEvent): string {
  return risingId ?? "";
}

function toRow(event: LoggedEvent, { replaces, at }: PendingEvent): Tables["events"] {
  const { stream, seq, audience, touches, ends, frame } = event;
  return { stream, seq, audience, touches: touches.join(" "), ends, replaces, frame, created_at: at };
}

function toLogged(
  pending: PendingEvent,
  { stream, seq, version }: { stream: StreamKey; seq: number; version: number | undefined },
): LoggedEvent {
  const { declaration, place, json, touches, forgets, ends, at } = pending;
  const frame = `{"type":"${declaration.type}",${streamOnWire(stream)},"seq":${seq},"ts":"${timeText(at)}","data":${json}}`;
  return {
    kind: "logged",
    stream,
    seq,
    frame,
    audience: place.audience,
    forgets,
    version: raisesVersion(pending) ? version : undefined,
    touches,
    ends,
    ...(stream !== place.home && { home: place.home }),
  };
}
