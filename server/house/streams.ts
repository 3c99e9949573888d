// One row per home: the number of its last event, the version of its rights, and the highest of its events' ids.
import { sql } from "kysely";
import type { Database, Db } from "../database/database.ts";
import { isListed, listedRows } from "../database/listed.ts";
import { prepared } from "../database/prepared.ts";
import { type Home, isOfPerson, personStream, type StreamKey } from "../place.ts";

declare module "../database/tables.ts" {
  interface Tables {
    streams: {
      stream: Home;
      seq: number;
      version: number;
      /** The highest of the ids that rise with the log's numbers; empty before the first. */
      last_id: string;
      /** Events up to this number were deleted for their age. Above it only replaced ones are missing. */
      cut_to: number;
    };
  }
}

/** Inserts the row of a new stream. */
export async function openStream(db: Db, stream: Home): Promise<void> {
  await db.insertInto("streams").values({ stream, seq: 0, version: 1, last_id: "", cut_to: 0 }).execute();
}

/** Deletes the row of a stream that is gone. */
export async function closeStream(db: Db, stream: Home): Promise<void> {
  await db.deleteFrom("streams").where("stream", "=", stream).execute();
}

/** Locks the row of a stream until the transaction ends. */
export async function lockStream(db: Db, stream: Home): Promise<void> {
  await db.selectFrom("streams").select("seq").where("stream", "=", stream).forUpdate().execute();
}

/** Locks the rows of these streams, in a global order. Returns by stream the highest of its ids. */
export async function lockStreams(db: Db, streams: readonly Home[]): Promise<Map<Home, string>> {
  const rows = await lockedInOrder(db, { streams: JSON.stringify(streams) });
  return new Map(rows.map(({ stream, last_id }) => [stream, last_id]));
}

/** Locks the row of a stream; throws at once while another transaction has it locked. */
export async function lockStreamNow({ locksRows }: Database, db: Db, stream: Home): Promise<void> {
  await db
    .selectFrom("streams")
    .select("seq")
    .where("stream", "=", stream)
    .$if(locksRows, (query) => query.forUpdate().noWait())
    .execute();
}

/** Returns those of these streams whose rows another transaction holds. `db` is a transaction. */
export async function heldAmong(db: Db, streams: readonly Home[]): Promise<Home[]> {
  const asked = JSON.stringify(streams);
  const there = await headsOfStreams(db, { streams: asked });
  const free = await db
    .selectFrom("streams")
    .select("stream")
    .where(isListed(db, "streams.stream", sql.val(asked), "text"))
    .forUpdate()
    .skipLocked()
    .execute();
  const names = new Set(free.map(({ stream }) => stream));
  return there.flatMap(({ stream }) => (names.has(stream) ? [] : stream));
}

/** Returns the number of a stream's last event, and the version of its rights; undefined when the stream is gone. */
export function streamHead(db: Db, stream: Home): Promise<Head | undefined> {
  return db.selectFrom("streams").select(["seq", "version"]).where("stream", "=", stream).executeTakeFirst();
}

/** Returns the highest of the ids that rise with the stream's numbers; empty before the first. */
export async function highestIdOf(db: Db, stream: Home): Promise<string> {
  const row = await db
    .selectFrom("streams")
    .select("last_id")
    .where("stream", "=", stream)
    .executeTakeFirst();
  return row?.last_id ?? "";
}

const headsOfStreams = prepared<{ streams: string }, { stream: Home; seq: number }>((db, value) =>
  db
    .selectFrom("streams")
    .select(["stream", "seq"])
    .where(isListed(db, "streams.stream", value("streams"), "text")),
);

/** Returns by stream the number of its last event, 0 before a server's first; persons without events are left out. */
export async function streamHeads(db: Db, streams: readonly StreamKey[]): Promise<Map<StreamKey, number>> {
  const rows = await headsOfStreams(db, { streams: JSON.stringify(streams) });
  return new Map(rows.map(({ stream, seq }) => [stream as StreamKey, seq]));
}

/** An advance of a stream by `count` numbers. */
export interface Step {
  stream: Home;
  count: number;
  /** 1 when an event revokes something, so that the version rises; else 0. */
  bump: number;
}

export type Head = { seq: number; version: number };
type StepValues = { stream: string; count: number; bump: number };

const advance = prepared<StepValues, Head>((db, value) =>
  db
    .updateTable("streams")
    .set((eb) => ({ seq: eb("seq", "+", value("count")), version: eb("version", "+", value("bump")) }))
    .where("stream", "=", value("stream") as Home)
    .returning(["seq", "version"]),
);

/** Takes the next numbers of a stream. Returns its head after them; undefined when the stream is gone. */
export async function advanceStream(db: Db, { stream, count, bump }: Step): Promise<Head | undefined> {
  const [head] = await advance(db, { stream, count, bump });
  return head ?? (isOfPerson(stream) ? beginPersonal(db, stream, count) : undefined);
}

/** Inserts the row of a person's stream with its first event: many people never have one. */
async function beginPersonal(db: Db, stream: Home, count: number): Promise<Head> {
  return db
    .insertInto("streams")
    .values({ stream, seq: count, version: 1, last_id: "", cut_to: 0 })
    .onConflict((conflict) =>
      conflict.column("stream").doUpdateSet((eb) => ({ seq: eb("streams.seq", "+", count) })),
    )
    .returning(["seq", "version"])
    .executeTakeFirstOrThrow();
}

const lockedInOrder = prepared<{ streams: string }, { stream: Home; last_id: string }>((db, value) =>
  db
    .selectFrom("streams")
    .select(["stream", "last_id"])
    .where(isListed(db, "streams.stream", value("streams"), "text"))
    .orderBy("stream")
    .forUpdate(),
);

const advanceListed = prepared<{ steps: string }, Head & { stream: Home }>((db, value) =>
  db
    .updateTable("streams")
    .from(
      listedRows<Step>(db, value("steps"), { stream: "text", count: "bigint", bump: "bigint" }).as("asked"),
    )
    .set((eb) => ({
      seq: eb("streams.seq", "+", eb.ref("asked.count")),
      version: eb("streams.version", "+", eb.ref("asked.bump")),
    }))
    .whereRef("streams.stream", "=", "asked.stream")
    .returning(["streams.stream", "streams.seq", "streams.version"]),
);

/** Takes the next numbers of these people's streams. Returns their heads after them. */
export async function advanceStreams(
  { locksRows }: Database,
  db: Db,
  steps: readonly Step[],
): Promise<Map<Home, Head>> {
  // The update locks rows in its own order, so two commits could deadlock.
  if (locksRows)
    await lockStreams(
      db,
      steps.map(({ stream }) => stream),
    );
  const advanced = await advanceListed(db, { steps: JSON.stringify(steps) });
  const heads = new Map(advanced.map(({ stream, ...head }) => [stream, head]));
  for (const { stream, count } of steps) {
    if (!heads.has(stream)) heads.set(stream, await beginPersonal(db, stream, count));
  }
  return heads;
}

/** Records that the events up to this number were deleted for their age. */
export async function noteCut(db: Db, stream: Home, cut_to: number): Promise<void> {
  await db.updateTable("streams").set({ cut_to }).where("stream", "=", stream).execute();
}

const cutOf = prepared<{ streams: string }, { stream: Home; cut_to: number }>((db, value) =>
  db
    .selectFrom("streams")
    .select(["stream", "cut_to"])
    .where(isListed(db, "streams.stream", value("streams"), "text")),
);

/** Returns by stream the number up to which its events were deleted for their age. */
export async function cutsOf(db: Db, streams: readonly Home[]): Promise<Map<Home, number>> {
  const rows = await cutOf(db, { streams: JSON.stringify(streams) });
  return new Map(rows.map(({ stream, cut_to }) => [stream, cut_to]));
}

export type Ids = { first: string; last: string };

const advanceWithIds = prepared<StepValues & Ids, Head>((db, value) =>
  db
    .updateTable("streams")
    .set((eb) => ({
      seq: eb("seq", "+", value("count")),
      version: eb("version", "+", value("bump")),
      last_id: value("last"),
    }))
    .where("stream", "=", value("stream") as Home)
    .where("last_id", "<", value("first"))
    .returning(["seq", "version"]),
);

/** Thrown when the log has an id above one that should follow: the id was made earlier and is committed later. */
export class Overtaken extends Error {
  readonly stream: Home;
  readonly lastId: string;

  constructor(stream: Home, lastId: string) {
    super("an id in the log is above one that was to follow it");
    this.stream = stream;
    this.lastId = lastId;
  }
}

/** Like `advanceStream`, for events with rising ids, all above the stream's ids. Throws Overtaken when they are not. */
export async function advanceStreamWithIds(
  db: Db,
  { stream, count, bump }: Step,
  { first, last }: Ids,
): Promise<Head | undefined> {
  const [head] = await advanceWithIds(db, { stream, count, bump, first, last });
  if (head) return head;
  const highest = await highestIdOf(db, stream);
  if (highest !== "") throw new Overtaken(stream, highest);
  return undefined;
}

/** Returns a query for the streams of one kind that have had more than `count` events. */
export function streamsLongerThan(db: Db, kind: "server" | "person", count: number) {
  // A range of the key rather than a pattern: both engines read it from the index.
  return db
    .selectFrom("streams")
    .select(["stream", "seq"])
    .$narrowType<{ stream: StreamKey }>()
    .where(sql<boolean>`stream >= ${`${kind}:`} and stream < ${`${kind};`}`)
    .where("seq", ">", count);
}

/** The key below those of all streams with a log, the persons' and then the servers': all others sort before it. */
export const firstStream: StreamKey = personStream("");

/** Returns the streams with a log that sort after this one, at most `limit`. */
export function streamsAfter(db: Db, stream: StreamKey, limit: number) {
  return db
    .selectFrom("streams")
    .select(["stream", "seq"])
    .$narrowType<{ stream: StreamKey }>()
    .where("stream", ">", stream)
    .orderBy("stream")
    .limit(limit)
    .execute();
}
