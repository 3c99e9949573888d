// Whether a lost connection can be taken up again whole, and what it missed.
import type { Resume } from "../../protocol/client-frames.ts";
import { ownStream } from "../../protocol/frames.ts";
import type { House } from "../house/house.ts";
import { eventTimes, type LogRange, missedEvents } from "../house/log-table.ts";
import { pieces } from "../house/pieces.ts";
import { idOf, type StreamKey, serverStream } from "../place.ts";
import { namesOf } from "./audience.ts";
import type { ReadyView, StreamView } from "./ready.ts";
import { type PieceTurns, weightAtOnce, weightOfQuestion, weightOfRow } from "./turns.ts";

/** More than this is not replayed: the fresh state is smaller. */
const mostReplayed = 20_000;
/** Rows of one stream that a question counts. */
const countedAtOnce = weightAtOnce / weightOfRow;
/** Rows that one question looks up, each in another stream. */
const lookedUpAtOnce = 100;

/** A stream's events that are owed: after `from`, up to `upTo`. */
export interface Owed {
  stream: StreamKey;
  from: number;
  upTo: number;
}

/**
 * What a client missed, by stream; or null when a part of it is unknown, gone, from another log, or the client's
 * servers, roles or rights changed since: then only a fresh READY is whole. A client that does not name its person's own
 * stream gets none of it.
 */
export async function owedSince(
  house: House,
  resume: Resume,
  now: ReadyView,
  turns: PieceTurns,
): Promise<Owed[] | null> {
  const followed = byStream(resume.streams, now.personal);
  const views = followed.has(now.personal.stream) ? [now.personal, ...now.servers] : now.servers;
  if (followed.size !== views.length) return null;
  const owed: Owed[] = [];
  let total = 0;
  for (const { stream, seq } of views) {
    const from = followed.get(stream);
    if (from === undefined || !Number.isSafeInteger(from) || from < 0 || from > seq) return null;
    if (from < seq) owed.push({ stream, from, upTo: seq });
    total += seq - from;
  }
  // Before anything is counted: whoever asks for too much is refused at no cost.
  if (total > mostReplayed) return null;
  if (!(await areWhole(house, owed, now, turns))) return null;
  return (await isSameLog(house, followed, byStream(resume.seen ?? {}, now.personal))) ? owed : null;
}

/** Streams as clients name them: by the id of a server, or `@me`. */
function byStream<T>(given: Readonly<Record<string, T>>, personal: StreamView): Map<StreamKey, T> {
  return new Map(
    Object.entries(given).map(([name, value]) => [
      name === ownStream ? personal.stream : serverStream(name.toLowerCase()),
      value,
    ]),
  );
}

/** Numbers have no gaps in the log, so fewer rows than numbers means that some are gone. */
async function areWhole(
  house: House,
  owed: readonly Owed[],
  { personal, servers }: ReadyView,
  turns: PieceTurns,
): Promise<boolean> {
  const userId = idOf(personal.stream);
  const views = new Map(servers.map((server) => [server.stream, server]));
  let isWhole = true;
  for (const ranges of pieces(rangesOf(owed), weightOf, weightAtOnce)) {
    await turns.run(async () => {
      let missing = 0;
      for (const { after, up_to } of ranges) missing += up_to - after;
      for (const { stream, touches, count } of await missedEvents(house.database.read, ranges)) {
        missing -= count;
        const mine = namesOf(userId, views.get(stream)?.roleIds ?? []);
        if (touches !== "" && touches.split(" ").some((name) => mine.includes(name))) isWhole = false;
      }
      if (missing > 0) isWhole = false;
      return ranges.reduce((sum, range) => sum + weightOf(range), 0);
    });
    if (!isWhole) return false;
  }
  return true;
}

function weightOf({ after, up_to }: LogRange): number {
  return (up_to - after) * weightOfRow + weightOfQuestion;
}

function* rangesOf(owed: readonly Owed[]): Generator<LogRange> {
  for (const { stream, from, upTo } of owed) {
    for (let after = from; after < upTo; after += countedAtOnce) {
      yield { stream, after, up_to: Math.min(after + countedAtOnce, upTo) };
    }
  }
}

/**
 * A log that was set back and went on gives numbers again: then what has the number up to which the client has heard is
 * later than what it heard. Numbers that are not in the log any more are older than any such.
 */
async function isSameLog(
  house: House,
  followed: ReadonlyMap<StreamKey, number>,
  seen: ReadonlyMap<StreamKey, string>,
): Promise<boolean> {
  const heard = [...followed].flatMap(([stream, seq]) => (seen.has(stream) ? [{ stream, seq }] : []));
  for (const some of pieces(heard, () => 1, lookedUpAtOnce)) {
    for (const [stream, at] of await eventTimes(house.database.read, some)) {
      if (at > Date.parse(seen.get(stream) ?? "")) return false;
    }
  }
  return true;
}
