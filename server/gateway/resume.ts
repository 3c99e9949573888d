// Whether a lost connection can be taken up again whole, and what it missed.
import type { Resume } from "../../protocol/client-frames.ts";
import { eventTimes, type LogRange, missedEvents } from "../house/event-log.ts";
import type { House } from "../house/house.ts";
import { pieces } from "../house/pieces.ts";
import { namesOf } from "./audience.ts";
import type { ReadyView, ServerView } from "./ready.ts";
import { type PieceTurns, weightAtOnce, weightOfQuestion, weightOfRow } from "./turns.ts";

/** More than this is not replayed: the fresh state is smaller. */
const mostReplayed = 20_000;
/** Rows of one server that a question counts. */
const countedAtOnce = weightAtOnce / weightOfRow;
/** Rows that one question looks up, each in another server. */
const lookedUpAtOnce = 100;

/** A server's events that are owed: after `from`, up to `upTo`. */
export interface Owed {
  serverId: string;
  from: number;
  upTo: number;
}

/**
 * What a client missed, by server; or null when a part of it is unknown, gone, from another log, or the client's
 * servers, roles or rights changed since: then only a fresh READY is whole.
 */
export async function owedSince(
  house: House,
  resume: Resume,
  userId: string,
  now: ReadyView,
  turns: PieceTurns,
): Promise<Owed[] | null> {
  const followed = byId(resume.streams);
  if (followed.size !== now.servers.length) return null;
  const owed: Owed[] = [];
  let total = 0;
  for (const server of now.servers) {
    const from = followed.get(server.id);
    if (from === undefined || !Number.isSafeInteger(from) || from < 0 || from > server.seq) return null;
    if (from < server.seq) owed.push({ serverId: server.id, from, upTo: server.seq });
    total += server.seq - from;
  }
  // Before anything is counted: whoever asks for too much is refused at no cost.
  if (total > mostReplayed) return null;
  if (!(await areWhole(house, owed, userId, now.servers, turns))) return null;
  return (await isSameLog(house, followed, byId(resume.seen ?? {}))) ? owed : null;
}

function byId<T>(given: Readonly<Record<string, T>>): Map<string, T> {
  return new Map(Object.entries(given).map(([id, value]) => [id.toLowerCase(), value]));
}

/** Numbers have no gaps in the log, so fewer rows than numbers means that some are gone. */
async function areWhole(
  house: House,
  owed: readonly Owed[],
  userId: string,
  servers: readonly ServerView[],
  turns: PieceTurns,
): Promise<boolean> {
  const views = new Map(servers.map((server) => [server.id, server]));
  let isWhole = true;
  for (const ranges of pieces(rangesOf(owed), weightOf, weightAtOnce)) {
    await turns.run(async () => {
      let missing = 0;
      for (const { after, up_to } of ranges) missing += up_to - after;
      for (const { server_id, touches, count } of await missedEvents(house.database.read, ranges)) {
        missing -= count;
        const mine = namesOf(userId, views.get(server_id)?.roleIds ?? []);
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
  for (const { serverId, from, upTo } of owed) {
    for (let after = from; after < upTo; after += countedAtOnce) {
      yield { server_id: serverId, after, up_to: Math.min(after + countedAtOnce, upTo) };
    }
  }
}

/**
 * A log that was set back and went on gives numbers again: then what has the number up to which the client has heard is
 * later than what it heard. Numbers that are not in the log any more are older than any such.
 */
async function isSameLog(
  house: House,
  followed: ReadonlyMap<string, number>,
  seen: ReadonlyMap<string, string>,
): Promise<boolean> {
  const heard = [...followed].filter(([id]) => seen.has(id)).map(([server_id, seq]) => ({ server_id, seq }));
  for (const some of pieces(heard, () => 1, lookedUpAtOnce)) {
    for (const [id, at] of await eventTimes(house.database.read, some)) {
      if (at > Date.parse(seen.get(id) ?? "")) return false;
    }
  }
  return true;
}
