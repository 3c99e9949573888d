// What others read of the numbered log: missed events, their frames, how many they are and when they happened.
import type { LoggedEvent } from "../bus/bus.ts";
import type { Database, Db } from "../database/database.ts";
import { listedRows } from "../database/listed.ts";
import { prepared } from "../database/prepared.ts";
import type { StreamKey } from "../place.ts";
import { lockStreamNow } from "./streams.ts";

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
    structural: false,
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

const headAndTime = prepared<{ stream: string }, { seq: number; created_at: number | null }>((db, value) =>
  db
    .selectFrom("streams")
    .leftJoin("events", (join) =>
      join.onRef("events.stream", "=", "streams.stream").onRef("events.seq", "=", "streams.seq"),
    )
    .select(["streams.seq", "events.created_at"])
    .where("streams.stream", "=", value("stream") as StreamKey),
);

/** The number of the last event of a stream, and its `ts` (milliseconds since 1970); both 0 before the first. */
export async function headOf(db: Db, stream: StreamKey): Promise<{ seq: number; at: number }> {
  const [head] = await headAndTime(db, { stream });
  return { seq: head?.seq ?? 0, at: head?.created_at ?? 0 };
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
