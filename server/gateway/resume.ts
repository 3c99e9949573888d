// Whether a lost connection can be taken up again whole, and what it missed.
import type { Resume } from "../../protocol/frames.ts";
import type { House } from "../house.ts";
import { missedEvents } from "../outbox.ts";
import { namesOf } from "./audience.ts";
import type { ReadyView } from "./ready.ts";

/** More than this is not replayed: the fresh state is smaller. */
const mostReplayed = 20_000;

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
): Promise<Owed[] | null> {
  if (resume.epoch !== house.epoch) return null;
  const followed = new Map(Object.entries(resume.streams).map(([id, seq]) => [id.toLowerCase(), seq]));
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
  for (const { serverId, from, upTo } of owed) {
    const missed = await missedEvents(house.database.read, serverId, from);
    // Numbers have no gaps in the log, so fewer rows than numbers means that some are gone.
    if (missed.count < upTo - from) return null;
    const roleIds = now.servers.find((server) => server.id === serverId)?.roleIds ?? [];
    if (namesOf(userId, roleIds).some((id) => missed.touches.has(id))) return null;
  }
  return owed;
}
