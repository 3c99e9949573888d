// The numbered log: every event of a stream is a row, numbered in the transaction of its change.
import { timeText } from "../../protocol/clock.ts";
import type { LoggedEvent } from "../bus/bus.ts";
import type { Database, Db } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { isOfServer, type StreamKey, streamOnWire } from "../place.ts";
import { deleteReplaced } from "./log-table.ts";
import { advanceStream, advanceStreams, advanceStreamWithIds, type Step } from "./streams.ts";
import type { PendingEvent } from "./unit.ts";

/** Thrown when a fact that a check relied on changed before the check's commit. */
export class Stale extends Error {
  /** By stream whose version has changed: its version now, undefined when the stream is gone. */
  readonly versions: ReadonlyMap<StreamKey, number | undefined>;

  constructor(versions: ReadonlyMap<StreamKey, number | undefined>) {
    super("what a commit relied on changed before it");
    this.versions = versions;
  }
}

/**
 * Numbers the events of one commit and inserts their rows, in the transaction `db`. `seen`: by stream, the versions
 * that checks relied on. Throws Stale when one of them no longer holds, and Overtaken when the log has an id above an
 * event's id.
 */
export async function numberEvents(
  database: Database,
  db: Db,
  events: readonly PendingEvent[],
  seen: ReadonlyMap<StreamKey, ReadonlySet<number>>,
): Promise<LoggedEvent[]> {
  if (events.length === 0) return [];
  const byStream = Map.groupBy(events, (event) => event.place.stream);
  const logged: LoggedEvent[] = [];
  const rows: Tables["events"][] = [];
  const stale = new Map<StreamKey, number | undefined>();
  // A global order, so that two commits never deadlock.
  const streams = [...byStream.keys()].sort();
  const personal = await advancePersonal(database, db, streams, byStream);
  for (const stream of streams) {
    const mine = inOrderOfIds(byStream.get(stream) ?? []);
    const bump = bumpOf(mine);
    const head = personal.get(stream) ?? (await advance(db, stream, mine, bump));
    const version = head && head.version - bump;
    if (!head || [...(seen.get(stream) ?? [])].some((each) => each !== version)) {
      stale.set(stream, version);
      continue;
    }
    let seq = head.seq - mine.length;
    for (const pending of mine) {
      const event = toLogged(pending, ++seq, head.version);
      logged.push(event);
      rows.push(toRow(event, pending));
    }
  }
  if (stale.size > 0) throw new Stale(stale);
  await database.insertRows(db, "events", await withoutReplaced(db, rows), false);
  return logged;
}

/** Fewer streams than this are advanced one by one, by statements that are already compiled. */
const manyStreams = 4;

/** Advances the streams of many people at once: read markers come by the hundred. They sort first. */
async function advancePersonal(
  database: Database,
  db: Db,
  streams: readonly StreamKey[],
  byStream: ReadonlyMap<StreamKey, readonly PendingEvent[]>,
) {
  const steps: Step[] = [];
  for (const stream of streams) {
    const events = byStream.get(stream) ?? [];
    if (isOfServer(stream) || events.some(hasId)) continue;
    steps.push({ stream, count: events.length, bump: bumpOf(events) });
  }
  return steps.length < manyStreams ? new Map() : advanceStreams(database, db, steps);
}

function bumpOf(events: readonly PendingEvent[]): 0 | 1 {
  return events.some((event) => event.declaration.revokes) ? 1 : 0;
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
 * Sorts the events with rising ids by their ids: operations may reach a shared commit in another order than they made
 * their ids.
 */
function inOrderOfIds(events: PendingEvent[]): PendingEvent[] {
  if (areRising(events)) return events;
  const withIds = events.filter((event) => event.risingId !== null);
  const sorted = withIds.sort((one, other) => (idOfEvent(one) < idOfEvent(other) ? -1 : 1)).values();
  return events.map((event) => (event.risingId === null ? event : (sorted.next().value ?? event)));
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

function advance(db: Db, stream: StreamKey, events: readonly PendingEvent[], bump: number) {
  const step = { stream, count: events.length, bump };
  const first = events.find(hasId)?.risingId;
  const last = events.findLast(hasId)?.risingId;
  return first == null || last == null
    ? advanceStream(db, step)
    : advanceStreamWithIds(db, step, { first, last });
}

function hasId({ risingId }: PendingEvent): boolean {
  return risingId !== null;
}

function toRow(event: LoggedEvent, { replaces, at }: PendingEvent): Tables["events"] {
  const { stream, seq, audience, touches, ends, frame } = event;
  return { stream, seq, audience, touches: touches.join(" "), ends, replaces, frame, created_at: at };
}

function toLogged(pending: PendingEvent, seq: number, version: number): LoggedEvent {
  const { declaration, place, json, touches, forgets, ends, at } = pending;
  const { stream, audience } = place;
  const frame = `{"type":"${declaration.type}",${streamOnWire(stream)},"seq":${seq},"ts":"${timeText(at)}","data":${json}}`;
  return {
    kind: "logged",
    stream,
    seq,
    frame,
    audience,
    forgets,
    version: declaration.revokes ? version : undefined,
    touches,
    ends,
  };
}
