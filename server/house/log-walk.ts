// Walks the logs of all people and servers, stream by stream, and updates its rows to the current state of what they describe.
import type { Audience } from "../../protocol/event.ts";
import type { Db } from "../database/database.ts";
import { keep, kept } from "../database/instance.ts";
import { isListed } from "../database/listed.ts";
import type { Tables } from "../database/tables.ts";
import type { StreamKey } from "../place.ts";
import type { House } from "./house.ts";
import { type Numbered, readLog, updateEvents } from "./log-table.ts";
import { pieceTurn } from "./pieces.ts";
import { firstStream, streamHeads, streamsAfter } from "./streams.ts";
import type { UnitOfWork } from "./unit.ts";

declare module "../database/tables.ts" {
  interface Tables {
    /** By stream: the number of its last event when a walk had reached its end. */
    log_walks: { stream: StreamKey; walked_to: number };
  }
}

/** An event of the log with its frame, as text. */
export interface WalkedEvent extends Numbered {
  frame: string;
}

/** The new frame of an event; null keeps nothing but its number, time and place. */
export interface Correction extends Numbered {
  frame: string | null;
}

/** How a walk judges events. */
interface Judge {
  /** The types of the events to judge. */
  types: readonly string[];
  /** Returns the necessary changes. Called outside of a transaction. */
  judge(db: Db, events: readonly WalkedEvent[]): Promise<Correction[]>;
  /** Runs in the transaction that erases these events, given with their old frames. */
  erased(unit: UnitOfWork, events: readonly WalkedEvent[]): Promise<void>;
}

/** The progress of the walk; stored, so that another process or the next start continues from there. */
interface Walk {
  /** In milliseconds since 1970. */
  begun_at: number;
  is_over: boolean;
  stream: StreamKey;
  /** The stream has been walked up to `seq`, and is to be walked up to `head`. */
  seq: number;
  head: number;
}

/** The findings of one run. */
interface Piece {
  corrections: Correction[];
  erased: WalkedEvent[];
  walked: Tables["log_walks"][];
}

const walkKey = "log_walk";
/**
 * Interval between the starts of two walks, in milliseconds: a deletion just behind one is covered by the next, well
 * within the day that it may take.
 */
const everyMs = 6 * 3600_000;
/** Rows, and streams, per run, and rows after which other work has its turn. */
const rowsAtOnce = 500;
const streamsAtOnce = 20;
const rowsInOneTurn = 100;
/** A run with this many corrections ends: they are one transaction. */
const correctedAtOnce = 100;
/** Streams among which one run looks for those with new events. */
const quietAtOnce = 500;

/**
 * Does a piece of the walk, or begins one when it is due. Streams without an event since the last walk are skipped, as
 * every change of the log's contents is an event itself. Returns whether there is more to do now.
 */
export async function walkLog(house: House, judge: Judge): Promise<boolean> {
  const { read } = house.database;
  const before = await kept(read, walkKey);
  const walk = resumed(before && JSON.parse(before), Date.now());
  if (!walk) return false;
  const { corrections, erased, walked } = await walkOn(read, walk, judge);
  await house.write(async (unit) => {
    await judge.erased(unit, erased);
    await correct(unit.db, corrections);
    await noteWalked(unit.db, walked);
    await keep(unit.db, walkKey, JSON.stringify(walk));
  });
  return !walk.is_over;
}

/** Returns the current walk, or a new one when it is due. */
function resumed(walk: Walk | undefined, now: number): Walk | undefined {
  if (walk && !walk.is_over) return walk;
  // A start in the future was written by a clock that was ahead.
  const isDue = !walk || now - walk.begun_at >= everyMs || walk.begun_at > now + everyMs;
  return isDue ? { begun_at: now, is_over: false, stream: firstStream, seq: 0, head: 0 } : undefined;
}

/** Advances the walk, and returns its findings on the way. */
async function walkOn(db: Db, walk: Walk, judge: Judge): Promise<Piece> {
  const piece: Piece = { corrections: [], erased: [], walked: [] };
  const ahead = await streamsAhead(db, walk.stream);
  for (let rows = 0, streams = 0; rows < rowsAtOnce && piece.corrections.length < correctedAtOnce; ) {
    if (walk.seq >= walk.head) {
      const next = ahead.withNews[streams];
      if (!next) Object.assign(walk, { stream: ahead.last, is_over: ahead.isEnd });
      if (!next || streams++ === streamsAtOnce) break;
      Object.assign(walk, { stream: next.stream, seq: 0, head: next.seq });
    }
    rows += await lookThrough(db, walk, judge, piece);
    await pieceTurn();
  }
  return piece;
}

/** Returns the streams after this one with new events since their last walk, and how far the search went. */
async function streamsAhead(db: Db, stream: StreamKey) {
  const some = await streamsAfter(db, stream, quietAtOnce);
  const walked = await walkedTo(
    db,
    some.map((each) => each.stream),
  );
  return {
    withNews: some.filter((each) => each.seq > (walked.get(each.stream) ?? 0)),
    last: some.at(-1)?.stream ?? stream,
    isEnd: some.length < quietAtOnce,
  };
}

async function walkedTo(db: Db, streams: readonly StreamKey[]): Promise<Map<StreamKey, number>> {
  const rows = await db
    .selectFrom("log_walks")
    .selectAll()
    .where(isListed(db, "stream", JSON.stringify(streams), "text"))
    .execute();
  return new Map(rows.map(({ stream, walked_to }) => [stream, walked_to]));
}

/** Walks the next rows of the stream. Returns how many. */
async function lookThrough(db: Db, walk: Walk, judge: Judge, piece: Piece): Promise<number> {
  const { stream, seq, head } = walk;
  const rows = await readLog(db, { stream, after: seq, up_to: head }, rowsInOneTurn);
  const events = rows.filter(({ frame }) =>
    judge.types.some((type) => frame.startsWith(`{"type":"${type}",`)),
  );
  const corrections = await judge.judge(db, events);
  const gone = new Set(corrections.flatMap((each) => (each.frame === null ? each.seq : [])));
  piece.corrections.push(...corrections);
  piece.erased.push(...events.filter((event) => gone.has(event.seq)));
  walk.seq = rows.length < rowsInOneTurn ? head : (rows.at(-1)?.seq ?? head);
  if (walk.seq >= head) piece.walked.push({ stream, walked_to: head });
  return rows.length;
}

/** The audience of an erased event. No listener holds it, so no replay has it, of the previous release either. */
const erasedAudience: Audience = "";

function correct(db: Db, corrections: readonly Correction[]): Promise<void> {
  return updateEvents(
    db,
    corrections.map(({ stream, seq, frame }) => ({
      ...{ stream, seq, frame: frame ?? "" },
      audience: frame === null ? erasedAudience : null,
    })),
  );
}

/** A stream that is gone by now is left out. */
async function noteWalked(db: Db, walked: readonly Tables["log_walks"][]): Promise<void> {
  const there = await streamHeads(
    db,
    walked.map(({ stream }) => stream),
  );
  for (const { stream, walked_to } of walked)
    if (there.has(stream))
      await db
        .insertInto("log_walks")
        .values({ stream, walked_to })
        .onConflict((conflict) => conflict.column("stream").doUpdateSet({ walked_to }))
        .execute();
}
