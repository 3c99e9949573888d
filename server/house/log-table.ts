// The rows of the numbered log: missed events are read, and events that are old enough are deleted in pieces.
import { type ExpressionBuilder, type NotNull, sql } from "kysely";
import type { Audience } from "../../protocol/event.ts";
import type { LoggedEvent } from "../bus/bus.ts";
import type { Database, Db } from "../database/database.ts";
import { listedRows } from "../database/listed.ts";
import { prepared } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import type { StreamKey } from "../place.ts";
import type { House } from "./house.ts";
import { closeStream, noteCut, streamHeads, streamsLongerThan } from "./streams.ts";
import { deletePiece } from "./sweeping.ts";

declare module "../database/tables.ts" {
  interface Tables {
    events: {
      stream: StreamKey;
      seq: number;
      audience: Audience;
      /** Ids separated by spaces; empty for the many events that change no rights. */
      touches: string;
      ends: string | null;
      /** The key of what the event replaces; null for most events. For each key only the newest event is kept. */
      replaces: string | null;
      frame: string;
      /** The frame's `ts`, in milliseconds since 1970. */
      created_at: number;
    };
  }
}

/** Events of one stream: after number `after`, up to and including `up_to`. */
export interface LogRange {
  stream: StreamKey;
  after: number;
  up_to: number;
}

/** The number of an event in its stream. */
export type Numbered = Pick<Tables["events"], "stream" | "seq">;

/** Returns the events of the range, oldest first, at most `limit`. */
export async function readLog(
  db: Db,
  { stream, after, up_to }: LogRange,
  limit: number,
): Promise<LoggedEvent[]> {
  const rows = await db
    .selectFrom("events")
    .selectAll()
    .where("stream", "=", stream)
    .where("seq", ">", after)
    .where("seq", "<=", up_to)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(asLogged);
}

/** Returns these events, in no particular order, without those that are no longer in the log. */
export async function readLogged(db: Db, events: readonly Numbered[]): Promise<LoggedEvent[]> {
  const asked = listedRows<Numbered>(db, JSON.stringify(events), { stream: "text", seq: "bigint" });
  const rows = await db
    .selectFrom(asked.as("asked"))
    .innerJoin("events", (join) =>
      join.onRef("events.stream", "=", "asked.stream").onRef("events.seq", "=", "asked.seq"),
    )
    .selectAll("events")
    .execute();
  return rows.map(asLogged);
}

function asLogged({ created_at: _, replaces: __, touches, ...row }: Tables["events"]): LoggedEvent {
  return {
    kind: "logged",
    ...row,
    // A row does not say which cached parts its event invalidates, so it counts as all of the server's.
    forgets: "*",
    version: undefined,
    touches: touches === "" ? [] : touches.split(" "),
  };
}

/** The part of an event that a resumed socket is sent, and the audience that decides whether it is. */
export type MissedFrame = Pick<LoggedEvent, "seq" | "audience" | "frame">;

const framesOf = prepared<{ stream: string; after: number; up_to: number }, MissedFrame>((db, value) =>
  db
    .selectFrom("events")
    .select(["seq", "audience", "frame"])
    .where("stream", "=", value("stream") as StreamKey)
    .where("seq", ">", value("after"))
    .where("seq", "<=", value("up_to"))
    .orderBy("seq"),
);

/** Returns the frames of the range, oldest first. */
export function eventFrames(db: Db, { stream, after, up_to }: LogRange): Promise<MissedFrame[]> {
  return framesOf(db, { stream, after, up_to });
}

type Touching = { stream: StreamKey; touches: string };

const touching = prepared<{ ranges: string }, Touching>((db, value) =>
  db
    .selectFrom(
      listedRows<LogRange>(db, value("ranges"), { stream: "text", after: "bigint", up_to: "bigint" }).as(
        "asked",
      ),
    )
    .innerJoin("events", (join) =>
      join
        .onRef("events.stream", "=", "asked.stream")
        .onRef("events.seq", ">", "asked.after")
        .onRef("events.seq", "<=", "asked.up_to"),
    )
    .select(["events.stream", "events.touches"])
    .where("events.touches", "<>", "")
    .distinct(),
);

/** Returns by stream the distinct `touches` (ids separated by spaces) of the events in these ranges. */
export function touchesIn(db: Db, ranges: readonly LogRange[]): Promise<Touching[]> {
  return touching(db, { ranges: JSON.stringify(ranges) });
}

/** The events of a stream after number `after`. */
export type After = Pick<LogRange, "stream" | "after">;

/** Returns audience and `touches` of the events that have a name with this beginning in `touches`. */
export async function touchedAfter(db: Db, { stream, after }: After, beginning: string) {
  const later = db.selectFrom("events").where("stream", "=", stream).where("seq", ">", after);
  const some = later.where("touches", "like", `%${beginning}%`).select(["audience", "touches"]);
  return (await some.execute()).map((row) => ({ ...row, touches: row.touches.split(" ") }));
}

const timesOf = prepared<{ events: string }, { stream: StreamKey; at: number | null }>((db, value) =>
  db
    .selectFrom(listedRows<Numbered>(db, value("events"), { stream: "text", seq: "bigint" }).as("asked"))
    .select("asked.stream")
    .select((eb) =>
      eb
        .selectFrom("events")
        .select("events.created_at")
        .whereRef("events.stream", "=", "asked.stream")
        .whereRef("events.seq", "<=", "asked.seq")
        .orderBy("events.seq", "desc")
        .limit(1)
        .as("at"),
    ),
);

/**
 * Returns by stream the `ts` of the event with this number (milliseconds since 1970), or if it was replaced, of the
 * last one before it. A stream with neither in the log is left out.
 */
export async function eventTimes(db: Db, events: readonly Numbered[]): Promise<Map<StreamKey, number>> {
  const rows = await timesOf(db, { events: JSON.stringify(events) });
  return new Map(rows.flatMap(({ stream, at }) => (at === null ? [] : [[stream, at]])));
}

const replacedBy = prepared<{ keys: string }, never>((db, value) =>
  db.deleteFrom("events").where((eb) =>
    eb(
      eb.refTuple("events.stream", "events.replaces"),
      "in",
      eb
        .selectFrom(
          listedRows<Replacing>(db, value("keys"), { stream: "text", replaces: "text" }).as("newer"),
        )
        .select(["newer.stream", "newer.replaces"])
        .$asTuple("stream", "replaces"),
    ),
  ),
);

type Replacing = Pick<Tables["events"], "stream" | "replaces">;

/** Deletes the events that newer ones replace. */
export async function deleteReplaced(db: Db, newer: readonly Replacing[]): Promise<void> {
  await replacedBy(db, { keys: JSON.stringify(newer.map(({ stream, replaces }) => ({ stream, replaces }))) });
}

/** An event's new frame, and its audience: null leaves the audience as it was. */
type Retold = Numbered & { frame: string; audience: Audience | null };

/** Changes the frames of events; their numbers, times and places stay. */
export async function updateEvents(db: Db, retold: readonly Retold[]): Promise<void> {
  const types = { stream: "text", seq: "bigint", frame: "text", audience: "text" } as const;
  await db
    .updateTable("events")
    .from(listedRows<Retold>(db, JSON.stringify(retold), types).as("now"))
    .set((eb) => ({
      frame: eb.ref("now.frame"),
      audience: eb.fn.coalesce("now.audience", "events.audience"),
    }))
    .whereRef("events.stream", "=", "now.stream")
    .whereRef("events.seq", "=", "now.seq")
    .execute();
}

/** Returns the number of a stream's last event, and its `ts` (milliseconds since 1970); both 0 before the first. */
export async function headOf(db: Db, stream: StreamKey): Promise<{ seq: number; at: number }> {
  const seq = (await streamHeads(db, [stream])).get(stream) ?? 0;
  const at = seq === 0 ? 0 : ((await eventTimes(db, [{ stream, seq }])).get(stream) ?? 0);
  return { seq, at };
}

/** The minimum that the log keeps: this many rows per stream of each kind, and everything of the last day. */
const keptEvents = { server: 10_000, person: 1_000 } as const;
const keptMs = 24 * 3600_000;
/** Rows deleted in one transaction: a few milliseconds in which nothing else runs. */
const deletedAtOnce = 500;
const eventKey = ["stream", "seq"] as const;

/** An event whose time (milliseconds since 1970) is outside of these two is old enough to be deleted. */
interface Old {
  before: number;
  /** A later time was written by a wrong clock; undefined while today's clock may be the wrong one. */
  after: number | undefined;
}

function isOld(eb: ExpressionBuilder<Tables, "events">, { before, after }: Old) {
  const at = eb.ref("events.created_at");
  return after === undefined ? eb(at, "<", before) : eb.or([eb(at, "<", before), eb(at, ">", after)]);
}

/**
 * Deletes a piece of the log of an ended stream, and returns whether there was one. The event that ended the stream
 * goes last, so that a later start finds the rest.
 */
async function pruneEnded(database: Database, old: Old): Promise<boolean> {
  const ended = await database.read
    .selectFrom("events")
    .select(["stream", "seq"])
    .where("ends", "=", "*")
    .where((eb) => isOld(eb, old))
    .limit(1)
    .executeTakeFirst();
  if (!ended) return false;
  const { stream } = ended;
  const where = sql`stream = ${stream} and seq <> ${ended.seq}`;
  await database.transaction(async (db) => {
    const piece = { table: "events", key: eventKey, where, order: eventKey } as const;
    if ((await deletePiece(db, piece, deletedAtOnce)) === deletedAtOnce) return;
    await db.deleteFrom("events").where("stream", "=", stream).execute();
    await closeStream(db, stream);
  });
  return true;
}

type Kind = keyof typeof keptEvents;

/** Finds a stream whose oldest event is past both limits, and the number of that event. */
function selectOverlong(db: Db, kind: Kind, old: Old) {
  const kept = keptEvents[kind];
  const oldest = (eb: ExpressionBuilder<Tables, "streams">) =>
    eb.selectFrom("events").whereRef("events.stream", "=", "streams.stream").orderBy("events.seq").limit(1);
  return streamsLongerThan(db, kind, kept)
    .select((eb) => oldest(eb).select("events.seq").as("oldest"))
    .$narrowType<{ oldest: NotNull }>()
    .where((eb) => eb(oldest(eb).select("events.seq"), "<=", eb("streams.seq", "-", kept)))
    .where((eb) =>
      eb(
        oldest(eb).select((event) => isOld(event, old).as("is_old")),
        "=",
        sql.lit(true),
      ),
    )
    .limit(1)
    .executeTakeFirst();
}

/** Deletes a piece of the events past both limits. Returns whether there may be more. */
export async function pruneLog({ database, clock }: Pick<House, "database" | "clock">): Promise<boolean> {
  const now = Date.now();
  const old = { before: now - keptMs, after: clock.isBelieved ? now + keptMs : undefined };
  if (await pruneEnded(database, old)) return true;
  return (await pruneOverlong(database, "server", old)) || (await pruneOverlong(database, "person", old));
}

async function pruneOverlong(database: Database, kind: Kind, old: Old): Promise<boolean> {
  const found = await selectOverlong(database.read, kind, old);
  if (!found) return false;
  const last = Math.min(found.oldest + deletedAtOnce - 1, found.seq - keptEvents[kind]);
  await database.transaction(async (db) => {
    await db
      .deleteFrom("events")
      .where("stream", "=", found.stream)
      .where("seq", "<=", last)
      .where((eb) => isOld(eb, old))
      .execute();
    await noteCut(db, found.stream, last);
  });
  return true;
}
