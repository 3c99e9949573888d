// Shortens the numbered log: what is older than it has to be goes, a bounded piece at a time.
import { type ExpressionBuilder, type NotNull, sql } from "kysely";
import type { Database, Db } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import type { House } from "./house.ts";
import { closeStream, streamsLongerThan } from "./streams.ts";
import { deletePiece } from "./sweeping.ts";

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
