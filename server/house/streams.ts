// One row a stream: the number of its last event, the version of what rights in it hang on, and its highest message id.
import { sql } from "kysely";
import type { Database, Db } from "../database/database.ts";
import { isListed } from "../database/listed.ts";
import { prepared } from "../database/prepared.ts";
import { isOfServer, type StreamKey } from "../place.ts";

declare module "../database/tables.ts" {
  interface Tables {
    streams: {
      stream: StreamKey;
      seq: number;
      version: number;
      /** Of the events whose ids rise with the log's numbers; empty before the first. */
      last_id: string;
    };
  }
}

export async function openStream(db: Db, stream: StreamKey): Promise<void> {
  await db.insertInto("streams").values({ stream, seq: 0, version: 1, last_id: "" }).execute();
}

export async function closeStream(db: Db, stream: StreamKey): Promise<void> {
  await db.deleteFrom("streams").where("stream", "=", stream).execute();
}

export async function lockStream(db: Db, stream: StreamKey): Promise<void> {
  await db.selectFrom("streams").select("seq").where("stream", "=", stream).forUpdate().execute();
}

/** The same, but throws at once while another transaction has it. */
export async function lockStreamNow({ locksRows }: Database, db: Db, stream: StreamKey): Promise<void> {
  await db
    .selectFrom("streams")
    .select("seq")
    .where("stream", "=", stream)
    .$if(locksRows, (query) => query.forUpdate().noWait())
    .execute();
}

export async function streamVersion(db: Db, stream: StreamKey): Promise<number | undefined> {
  const row = await db
    .selectFrom("streams")
    .select("version")
    .where("stream", "=", stream)
    .executeTakeFirst();
  return row?.version;
}

const headsOfStreams = prepared<{ streams: string }, { stream: StreamKey; seq: number }>((db, value) =>
  db
    .selectFrom("streams")
    .select(["stream", "seq"])
    .where(isListed(db, "streams.stream", value("streams"), "text")),
);

/** By stream: the number of its last event, 0 before the first. */
export async function streamHeads(db: Db, streams: readonly StreamKey[]): Promise<Map<StreamKey, number>> {
  const rows = await headsOfStreams(db, { streams: JSON.stringify(streams) });
  return new Map(rows.map(({ stream, seq }) => [stream, seq]));
}

/** What the next `count` numbers of a stream are taken for. */
export interface Step {
  stream: StreamKey;
  count: number;
  /** 1 where the version rises, else 0. */
  bump: number;
}

type Head = { seq: number; version: number };
type StepValues = { stream: string; count: number; bump: number };

const advance = prepared<StepValues, Head>((db, value) =>
  db
    .updateTable("streams")
    .set((eb) => ({ seq: eb("seq", "+", value("count")), version: eb("version", "+", value("bump")) }))
    .where("stream", "=", value("stream") as StreamKey)
    .returning(["seq", "version"]),
);

/** Takes the next numbers. Returns the stream's head after them; undefined where the stream is gone. */
export async function advanceStream(db: Db, { stream, count, bump }: Step): Promise<Head | undefined> {
  const [head] = await advance(db, { stream, count, bump });
  return head ?? (isOfServer(stream) ? undefined : beginPersonal(db, stream, count));
}

/** A person's stream begins with its first event: many never have one. */
async function beginPersonal(db: Db, stream: StreamKey, count: number): Promise<Head> {
  return db
    .insertInto("streams")
    .values({ stream, seq: count, version: 1, last_id: "" })
    .onConflict((conflict) =>
      conflict.column("stream").doUpdateSet((eb) => ({ seq: eb("streams.seq", "+", count) })),
    )
    .returning(["seq", "version"])
    .executeTakeFirstOrThrow();
}

type Ids = { first: string; last: string };

const advanceWithIds = prepared<StepValues & Ids, Head>((db, value) =>
  db
    .updateTable("streams")
    .set((eb) => ({
      seq: eb("seq", "+", value("count")),
      version: eb("version", "+", value("bump")),
      last_id: value("last"),
    }))
    .where("stream", "=", value("stream") as StreamKey)
    .where("last_id", "<", value("first"))
    .returning(["seq", "version"]),
);

/** An id in the log is above those that were to come after it: made earlier, committed later. */
export class Overtaken extends Error {
  readonly stream: StreamKey;
  readonly lastId: string;

  constructor(stream: StreamKey, lastId: string) {
    super("an id in the log is above one that was to follow it");
    this.stream = stream;
    this.lastId = lastId;
  }
}

/** The same for events with ids, which all come after those that the stream has. Throws Overtaken where they do not. */
export async function advanceStreamWithIds(
  db: Db,
  { stream, count, bump }: Step,
  { first, last }: Ids,
): Promise<Head | undefined> {
  const [head] = await advanceWithIds(db, { stream, count, bump, first, last });
  if (head) return head;
  const row = await db
    .selectFrom("streams")
    .select("last_id")
    .where("stream", "=", stream)
    .executeTakeFirst();
  if (row) throw new Overtaken(stream, row.last_id);
  return undefined;
}

/** A query for the streams of one kind that have had more than so many events. */
export function streamsLongerThan(db: Db, kind: "server" | "person", count: number) {
  // A range of the key rather than a pattern: both engines read it from the index.
  return db
    .selectFrom("streams")
    .select(["stream", "seq"])
    .where(sql<boolean>`stream >= ${`${kind}:`} and stream < ${`${kind};`}`)
    .where("seq", ">", count);
}
