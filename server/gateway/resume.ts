// Decides whether a lost connection can be resumed completely, and finds the events that it missed.
import type { Resume } from "../../protocol/client-frames.ts";
import { ownStream } from "../../protocol/frames.ts";
import type { House } from "../house/house.ts";
import { eventTimes, type LogRange, touchesIn } from "../house/log-table.ts";
import { pieces } from "../house/pieces.ts";
import { cutsOf } from "../house/streams.ts";
import { idOf, type StreamKey, serverStream } from "../place.ts";
import { namesOf } from "./audience.ts";
import type { ReadyView, StreamView } from "./ready.ts";
import { type PieceTurns, weightAtOnce, weightOfQuestion, weightOfRow } from "./turns.ts";

/** More events than this are not replayed: a fresh READY is smaller. */
const mostReplayed = 20_000;
/** Rows of one stream that one query counts. */
const countedAtOnce = weightAtOnce / weightOfRow;
/** Rows that one query looks up, each in another stream. */
const lookedUpAtOnce = 100;

/** Events of one stream that the client missed: after number `from`, up to and including `upTo`. */
export interface Owed {
  stream: StreamKey;
  from: number;
  upTo: number;
}

/**
 * Returns the ranges of events that a client missed; null when one of them is unknown, deleted or from another log, or
 * when the client's servers, roles or rights changed since: then only a fresh READY is complete. A client that does not
 * name its person's own stream gets none of its events.
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
  // This check comes before any query, so that a request for too much costs the server nothing.
  if (total > mostReplayed) return null;
  if (!(await areWhole(house, owed, now, turns))) return null;
  if (await mayLackEvents(house, followed, now)) return null;
  return (await isSameLog(house, followed, byStream(resume.seen ?? {}, now.personal))) ? owed : null;
}

/** Clients name a stream by the id of its server, or as `@me`. */
function byStream<T>(given: Readonly<Record<string, T>>, personal: StreamView): Map<StreamKey, T> {
  return new Map(
    Object.entries(given).map(([name, value]) => [
      name === ownStream ? personal.stream : serverStream(name.toLowerCase()),
      value,
    ]),
  );
}

/** Returns whether the log has all owed events except replaced ones, and none of them touches the caller. */
async function areWhole(
  house: House,
  owed: readonly Owed[],
  { personal, servers }: ReadyView,
  turns: PieceTurns,
): Promise<boolean> {
  const userId = idOf(personal.stream);
  const views = new Map(servers.map((server) => [server.stream, server]));
  if (await areCut(house, owed, turns)) return false;
  let isWhole = true;
  for (const ranges of pieces(rangesOf(owed), weightOf, weightAtOnce)) {
    await turns.run(async () => {
      for (const { stream, touches } of await touchesIn(house.database.read, ranges)) {
        const mine = namesOf(userId, views.get(stream)?.roleIds ?? []);
        if (touches.split(" ").some((name) => mine.includes(name))) isWhole = false;
      }
      return ranges.reduce((sum, range) => sum + weightOf(range), 0);
    });
    if (!isWhole) return false;
  }
  return true;
}

/** How long after a roll-out clients may come back that were at a process of the release before, in milliseconds. */
const awayMs = 24 * 3600_000;

/** The number of audiences in a server before the roll-out: one for all members, one for all viewers. */
const fewAudiences = 2;

/** Returns whether the client may have been at a process that did not send everything that the client may hear. */
async function mayLackEvents(
  { database, rolledOutBy }: House,
  followed: ReadonlyMap<StreamKey, number>,
  { servers }: ReadyView,
): Promise<boolean> {
  if (Date.now() > rolledOutBy + awayMs) return false;
  const doubtful = servers.filter(({ held }) => held.size > fewAudiences);
  const last = doubtful.map(({ stream }) => ({ stream, seq: followed.get(stream) ?? 0 }));
  for (const some of pieces(last, () => 1, lookedUpAtOnce)) {
    const times = await eventTimes(database.read, some);
    if (some.some(({ stream }) => (times.get(stream) ?? 0) <= rolledOutBy)) return true;
  }
  return false;
}

/** Returns whether the log was cut after the start of one of these ranges. */
async function areCut(house: House, owed: readonly Owed[], turns: PieceTurns): Promise<boolean> {
  let isCut = false;
  for (const some of pieces(owed, () => 1, lookedUpAtOnce)) {
    const streams = some.map(({ stream }) => stream);
    await turns.run(async () => {
      const cuts = await cutsOf(house.database.read, streams);
      isCut ||= some.some(({ stream, from }) => from < (cuts.get(stream) ?? 0));
      return some.length * weightOfRow + weightOfQuestion;
    });
  }
  return isCut;
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
 * Returns whether the log is the one that the client heard. A log that was set back and went on assigns numbers again:
 * then the event with the client's last number is later than the client's time for it. A number that is no longer in
 * the log is older than any such event.
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
