// The numbered log: every event of a server is a row, numbered in the transaction of its change.

import { type ExpressionBuilder, type Migration, type NotNull, sql } from "kysely";
import { timeText } from "../../protocol/clock.ts";
import type { Audience } from "../../protocol/event.ts";
import type { LoggedEvent } from "../bus/bus.ts";
import { columnTypes } from "../database/columns.ts";
import type { Database, Db } from "../database/database.ts";
import { listedRows } from "../database/listed.ts";
import { prepared } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import type { House } from "./house.ts";
import { advanceStream, closeStream, lockStreamNow, streamsLongerThan } from "./streams.ts";
import { deletePiece } from "./sweeping.ts";
import type { PendingEvent } from "./unit.ts";

declare module "../database/tables.ts" {
  interface Tables {
    events: {
      server_id: string;
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

export function eventLogMigrations(engine: Database["engine"]): Record<string, Migration> {
  const type = columnTypes(engine);
  return {
    "0000_outbox": {
      async up(db) {
        await db.schema
          .createTable("instance")
          .addColumn("key", type.text, (c) => c.primaryKey())
          .addColumn("value", type.text, (c) => c.notNull())
          .execute();
        await db.schema
          .createTable("streams")
          .addColumn("server_id", type.uuid, (c) => c.primaryKey().notNull())
          .addColumn("seq", type.integer, (c) => c.notNull())
          .addColumn("version", type.integer, (c) => c.notNull())
          .execute();
        await db.schema
          .createTable("events")
          .addColumn("server_id", type.uuid, (c) => c.notNull())
          .addColumn("seq", type.integer, (c) => c.notNull())
          .addColumn("audience", type.text, (c) => c.notNull())
          .addColumn("touches", type.text, (c) => c.notNull())
          .addColumn("ends", type.text)
          .addColumn("frame", type.text, (c) => c.notNull())
          .addColumn("created_at", type.integer, (c) => c.notNull())
          .addPrimaryKeyConstraint("events_pk", ["server_id", "seq"])
          .$call((table) => (engine === "sqlite" ? table.modifyEnd(sql`without rowid`) : table))
          .execute();
        await db.schema
          .createIndex("events_ends")
          .on("events")
          .column("created_at")
          .where(sql.ref("ends"), "=", "*")
          .execute();
      },
    },
  };
}

/** The facts that a check relied on changed before its commit. */
export class Stale extends Error {
  /** Of each server whose structure has changed: the version that it has now, undefined when the server is gone. */
  readonly versions: ReadonlyMap<string, number | undefined>;

  constructor(versions: ReadonlyMap<string, number | undefined>) {
    super("the structure of a server changed before a commit that relied on it");
    this.versions = versions;
  }
}

/**
 * Gives the events of one commit their numbers and writes their rows. `seen` are the structure versions that the
 * checks relied on; throws Stale when some no longer hold.
 */
export async function numberEvents(
  database: Database,
  db: Db,
  events: readonly PendingEvent[],
  seen: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<LoggedEvent[]> {
  if (events.length === 0) return [];
  const byServer = Map.groupBy(events, (event) => event.serverId);
  const logged: LoggedEvent[] = [];
  const rows: Tables["events"][] = [];
  const stale = new Map<string, number | undefined>();
  // One order for everybody, so that two commits never wait for each other in a circle.
  for (const serverId of [...byServer.keys()].sort()) {
    const mine = byServer.get(serverId) ?? [];
    const bump = mine.some((event) => event.declaration.structural) ? 1 : 0;
    const [head] = await advanceStream(db, { serverId, count: mine.length, bump });
    const version = head && head.version - bump;
    if (!head || [...(seen.get(serverId) ?? [])].some((each) => each !== version)) {
      stale.set(serverId, version);
      continue;
    }
    let seq = head.seq - mine.length;
    for (const pending of mine) {
      const event = toLogged(pending, ++seq);
      logged.push(event);
      rows.push(toRow(event, pending.at));
    }
  }
  if (stale.size > 0) throw new Stale(stale);
  await database.insertRows(db, "events", rows, false);
  return logged;
}

function toRow(event: LoggedEvent, created_at: number): Tables["events"] {
  const { serverId: server_id, seq, audience, touches, ends, frame } = event;
  return { server_id, seq, audience, touches: touches.join(" "), ends, frame, created_at };
}

function toLogged(event: PendingEvent, seq: number): LoggedEvent {
  const ts = timeText(event.at);
  return {
    kind: "logged",
    serverId: event.serverId,
    seq,
    frame: `{"type":"${event.declaration.type}","server_id":"${event.serverId}","seq":${seq},"ts":"${ts}","data":${event.json}}`,
    audience: event.declaration.audience,
    structural: event.declaration.structural === true,
    touches: event.touches,
    ends: event.ends,
  };
}

/** The events after number `after`, up to `upTo`, oldest first, at most `limit`. */
export async function readLog(
  db: Db,
  serverId: string,
  after: number,
  upTo: number,
  limit: number,
): Promise<LoggedEvent[]> {
  const rows = await db
    .selectFrom("events")
    .selectAll()
    .where("server_id", "=", serverId)
    .where("seq", ">", after)
    .where("seq", "<=", upTo)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    kind: "logged",
    serverId: row.server_id,
    seq: row.seq,
    frame: row.frame,
    audience: row.audience,
    structural: false,
    touches: row.touches === "" ? [] : row.touches.split(" "),
    ends: row.ends,
  }));
}

/** What a resumed connection is sent of an event. */
export type MissedFrame = Pick<LoggedEvent, "seq" | "audience" | "frame">;

const framesOf = prepared<{ serverId: string; from: number; upTo: number }, MissedFrame>((db, value) =>
  db
    .selectFrom("events")
    .select(["seq", "audience", "frame"])
    .where("server_id", "=", value("serverId"))
    .where("seq", ">", value("from"))
    .where("seq", "<=", value("upTo"))
    .orderBy("seq"),
);

/** The frames of a server's events after number `from`, up to `upTo`, oldest first. */
export function eventFrames(
  db: Db,
  range: { serverId: string; from: number; upTo: number },
): Promise<MissedFrame[]> {
  return framesOf(db, range);
}

/** Events of one server: after number `after`, up to `up_to`. */
export type LogRange = { server_id: string; after: number; up_to: number };

type Missed = { server_id: string; touches: string; count: number };

const missedOf = prepared<{ ranges: string }, Missed>((db, value) =>
  db
    .selectFrom(
      listedRows<LogRange>(db, value("ranges"), { server_id: "uuid", after: "bigint", up_to: "bigint" }).as(
        "asked",
      ),
    )
    .innerJoin("events", (join) =>
      join
        .onRef("events.server_id", "=", "asked.server_id")
        .onRef("events.seq", ">", "asked.after")
        .onRef("events.seq", "<=", "asked.up_to"),
    )
    .select(["events.server_id", "events.touches", (eb) => eb.fn.countAll<number>().as("count")])
    .groupBy(["events.server_id", "events.touches"]),
);

/** How many events these ranges hold, by server and by whose rights they may have changed (ids separated by blanks). */
export function missedEvents(db: Db, ranges: readonly LogRange[]): Promise<Missed[]> {
  return missedOf(db, { ranges: JSON.stringify(ranges) });
}

type Numbered = { server_id: string; seq: number };

const timesOf = prepared<{ events: string }, { server_id: string; created_at: number }>((db, value) =>
  db
    .selectFrom(listedRows<Numbered>(db, value("events"), { server_id: "uuid", seq: "bigint" }).as("asked"))
    .innerJoin("events", (join) =>
      join.onRef("events.server_id", "=", "asked.server_id").onRef("events.seq", "=", "asked.seq"),
    )
    .select(["events.server_id", "events.created_at"]),
);

/** By server: the `ts` of the event with this number (milliseconds since 1970), where it is still in the log. */
export async function eventTimes(db: Db, events: readonly Numbered[]): Promise<Map<string, number>> {
  const rows = await timesOf(db, { events: JSON.stringify(events) });
  return new Map(rows.map((row) => [row.server_id, row.created_at]));
}

/**
 * Whether the log has this very event, asked in a transaction. Throws while another one writes into the log of its server,
 * as only then it is known what that one leaves.
 */
export async function isInLog(
  database: Database,
  db: Db,
  { serverId, seq, frame }: LoggedEvent,
): Promise<boolean> {
  await lockStreamNow(database, db, serverId);
  const [event] = await readLog(db, serverId, seq - 1, seq, 1);
  return event?.frame === frame;
}

/** Log rows kept at the least: this many a server, and everything of the last day. */
const keptEvents = 10_000;
const keptMs = 24 * 3600_000;
/** Rows deleted in one go: a few milliseconds in which nothing else is done. */
const deletedAtOnce = 500;
const eventKey = ["server_id", "seq"] as const;

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

/** The logs of servers that are no more. The event that says so goes last, so that a later start finds the rest. */
async function pruneEnded(database: Database, old: Old): Promise<boolean> {
  const ended = await database.read
    .selectFrom("events")
    .select(["server_id", "seq"])
    .where("ends", "=", "*")
    .where((eb) => isOld(eb, old))
    .limit(1)
    .executeTakeFirst();
  if (!ended) return false;
  const { server_id, seq } = ended;
  const where = sql`server_id = ${server_id} and seq <> ${seq}`;
  await database.transaction(async (db) => {
    const piece = { table: "events", key: eventKey, where, order: eventKey } as const;
    if ((await deletePiece(db, piece, deletedAtOnce)) === deletedAtOnce) return;
    await db.deleteFrom("events").where("server_id", "=", server_id).execute();
    await closeStream(db, server_id);
  });
  return true;
}

/** A server whose oldest event is past both limits, and the number of that. */
function selectOverlong(db: Db, old: Old) {
  const oldest = (eb: ExpressionBuilder<Tables, "streams">) =>
    eb
      .selectFrom("events")
      .whereRef("events.server_id", "=", "streams.server_id")
      .orderBy("events.seq")
      .limit(1);
  return streamsLongerThan(db, keptEvents)
    .select((eb) => oldest(eb).select("events.seq").as("oldest"))
    .$narrowType<{ oldest: NotNull }>()
    .where((eb) => eb(oldest(eb).select("events.seq"), "<=", eb("streams.seq", "-", keptEvents)))
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

/** Deletes what is past both limits, a bounded piece at a time. Answers whether there may be more. */
export async function pruneLog({ database, clock }: Pick<House, "database" | "clock">): Promise<boolean> {
  const now = Date.now();
  const old = { before: now - keptMs, after: clock.isBelieved ? now + keptMs : undefined };
  if (await pruneEnded(database, old)) return true;
  const stream = await selectOverlong(database.read, old);
  if (!stream) return false;
  const last = Math.min(stream.oldest + deletedAtOnce - 1, stream.seq - keptEvents);
  await database.transaction((db) =>
    db
      .deleteFrom("events")
      .where("server_id", "=", stream.server_id)
      .where("seq", "<=", last)
      .where((eb) => isOld(eb, old))
      .execute(),
  );
  return true;
}
