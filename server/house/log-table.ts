// The rows of the numbered log: how missed ones are read, and how those that are old enough go, a piece at a time.
import { type ExpressionBuilder, type NotNull, sql } from "kysely";
import type { Audience } from "../../protocol/event.ts";
import type { LoggedEvent } from "../bus/bus.ts";
import type { Database, Db } from "../database/database.ts";
import { listedRows } from "../database/listed.ts";
import { prepared } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import type { StreamKey } from "../place.ts";
import type { House } from "./house.ts";
import { closeStream, lockStreamNow, streamHeads, streamsLongerThan } from "./streams.ts";
import { deletePiece } from "./sweeping.ts";

declare module "../database/tables.ts" {
  interface Tables {
    events: {
      stream: StreamKey;
      seq: number;
      audience: Audience;
      /** Ids separated by blanks; empty for the many events that change nobody's rights. */
      touches: string;
      ends: string | null;
      frame: string;
      /** The frame's `ts`. */
      created_at: number;
    };
  }
}

/** Events of one stream: after number `after`, up to `up_to`. */
export interface LogRange {
  stream: StreamKey;
  after: number;
  up_to: number;
}

/** The events of the range, oldest first, at most `limit`. */
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
  return rows.map(({ created_at: _, touches, ...row }) => ({
    kind: "logged",
    ...row,
    // Nothing is remembered from before the rows are read: the whole server is forgotten then.
    forgets: "*",
    version: undefined,
    touches: touches === "" ? [] : touches.split(" "),
  }));
}

/** What a resumed connection is sent of an event. */
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

/** The frames of the range, oldest first. */
export function eventFrames(db: Db, { stream, after, up_to }: LogRange): Promise<MissedFrame[]> {
  return framesOf(db, { stream, after, up_to });
}

type Missed = { stream: StreamKey; touches: string; count: number };

const missedOf = prepared<{ ranges: string }, Missed>((db, value) =>
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
    .select(["events.stream", "events.touches", (eb) => eb.fn.countAll<number>().as("count")])
    .groupBy(["events.stream", "events.touches"]),
);

/** How many events these ranges hold, by stream and by whose rights they may have changed (ids separated by blanks). */
export function missedEvents(db: Db, ranges: readonly LogRange[]): Promise<Missed[]> {
  return missedOf(db, { ranges: JSON.stringify(ranges) });
}

interface Numbered {
  stream: StreamKey;
  seq: number;
}

const timesOf = prepared<{ events: string }, { stream: StreamKey; created_at: number }>((db, value) =>
  db
    .selectFrom(listedRows<Numbered>(db, value("events"), { stream: "text", seq: "bigint" }).as("asked"))
    .innerJoin("events", (join) =>
      join.onRef("events.stream", "=", "asked.stream").onRef("events.seq", "=", "asked.seq"),
    )
    .select(["events.stream", "events.created_at"]),
);

/** By stream: the `ts` of the event with this number (milliseconds since 1970), where it is still in the log. */
export async function eventTimes(db: Db, events: readonly Numbered[]): Promise<Map<StreamKey, number>> {
  const rows = await timesOf(db, { events: JSON.stringify(events) });
  return new Map(rows.map((row) => [row.stream, row.created_at]));
}

/** The number of the last event of a stream, and its `ts` (milliseconds since 1970); both 0 before the first. */
export async function headOf(db: Db, stream: StreamKey): Promise<{ seq: number; at: number }> {
  const seq = (await streamHeads(db, [stream])).get(stream) ?? 0;
  const at = seq === 0 ? 0 : ((await eventTimes(db, [{ stream, seq }])).get(stream) ?? 0);
  return { seq, at };
}

/**
 * Whether the log has this very event, asked in a transaction. Throws while another one writes into its stream, as only
 * then it is known what that one leaves.
 */
export async function isInLog(
  database: Database,
  db: Db,
  { stream, seq, frame }: LoggedEvent,
): Promise<boolean> {
  await lockStreamNow(database, db, stream);
  const [event] = await readLog(db, { stream, after: seq - 1, up_to: seq }, 1);
  return event?.frame === frame;
}

/** Rows kept at the least: so many a stream of each kind, and everything of the last day. */
const keptEvents = { server: 10_000, person: 1_000 } as const;
const keptMs = 24 * 3600_000;
/** Rows deleted in one go: a few milliseconds in which nothing else is done. */
const deletedAtOnce = 500;
const eventKey = ["stream", "seq"] as const;

/** Times (milliseconds since 1970) of which an event is old enough to go. */
interface Old {
  before: number;
  /** What lies further ahead was written by a clock that was wrong; undefined while today's may be that. */
  after: number | undefined;
}

function isOld(eb: ExpressionBuilder<Tables, "events">, { before, after }: Old) {
  const at = eb.ref("events.created_at");
  return after === undefined ? eb(at, "<", before) : eb.or([eb(at, "<", before), eb(at, ">", after)]);
}

/** Deletes the log of a stream that is no more. The event that says so goes last, so that a later start finds the rest. */
async function pruneEnded(database: Database, old: Old): Promise<boolean> {
  const ended = await database.read
    .selectFrom("events")
    .select(["stream", "seq"])
    .where("ends", "=", "*")
    .where((eb) => isOld(eb, old))
    .limit(1)
    .executeTakeFirst();
  if (!ended) return false;
  const { stream, seq } = ended;
  const where = sql`stream = ${stream} and seq <> ${seq}`;
  await database.transaction(async (db) => {
    const piece = { table: "events", key: eventKey, where, order: eventKey } as const;
    if ((await deletePiece(db, piece, deletedAtOnce)) === deletedAtOnce) return;
    await db.deleteFrom("events").where("stream", "=", stream).execute();
    await closeStream(db, stream);
  });
  return true;
}

type Kind = keyof typeof keptEvents;

/** Finds a stream whose oldest event is past both limits, and the number of that. */
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

/** Deletes a piece of what is past both limits. Returns whether there may be more. */
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
  await database.transaction((db) =>
    db
      .deleteFrom("events")
      .where("stream", "=", found.stream)
      .where("seq", "<=", last)
      .where((eb) => isOld(eb, old))
      .execute(),
  );
  return true;
}
