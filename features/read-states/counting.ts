// Counts the messages after a marker that mention its reader, by the current messages, roles and blocks.
import { pieces } from "../../server/house/pieces.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { selectBlocks } from "../blocks/access.ts";
import { type SaidAfter, saidAfter } from "../messages/said.ts";
import { mentionsCounted } from "./events.ts";
import { countMentions, selectNewestMentions } from "./mentions.ts";

/** A channel, and the last message that a person has read there. */
export interface ReadSoFar {
  userId: string;
  /** Null for a channel outside of servers. */
  serverId: string | null;
  channelId: string;
  lastReadId: string;
}

/** Returns the roles that a person holds in a server. */
type RolesHeld = (userId: string, serverId: string) => readonly string[] | Promise<readonly string[]>;

/** Characters of JSON per statement: a reader may block a thousand people, while most block nobody. */
const countedAtOnce = 64 * 1024;
/** Approximate characters of one count without its blocked people. */
const rowLength = 250;

export function keyOf({ userId, channelId }: Pick<ReadSoFar, "userId" | "channelId">): string {
  return `${userId} ${channelId}`;
}

/** Returns by `keyOf` how many later messages mention the reader; channels without any are left out. */
export async function mentionCounts(
  unit: UnitOfWork,
  read: readonly ReadSoFar[],
  rolesHeld: RolesHeld,
): Promise<Map<string, number>> {
  const behind = await behindMentions(unit, read);
  const silent = await silentFor(unit, behind);
  const weightOf = ({ userId }: ReadSoFar) => rowLength + (silent.get(userId)?.length ?? 0);
  const counts = new Map<string, number>();
  for (const some of pieces(behind, weightOf, countedAtOnce)) {
    const inServers = [];
    const inConversations: SaidAfter[] = [];
    for (const { userId, serverId, channelId, lastReadId } of some) {
      const asked = { reader_id: userId, channel_id: channelId, after: lastReadId };
      const own = { ...asked, silent: silent.get(userId) ?? "[]" };
      if (serverId === null) inConversations.push(own);
      else {
        const targets = [userId, serverId, ...(await rolesHeld(userId, serverId))];
        inServers.push({ ...own, targets: JSON.stringify(targets) });
      }
    }
    const found = [
      ...(inServers.length > 0 ? await countMentions(unit.db, inServers) : []),
      ...(inConversations.length > 0 ? (await unit.ask(saidAfter, inConversations)).flat() : []),
    ];
    for (const { reader_id, channel_id, count } of found) {
      if (count === 0) continue;
      counts.set(keyOf({ userId: reader_id, channelId: channel_id }), Math.min(count, mentionsCounted));
    }
  }
  return counts;
}

/** Returns the channels with messages after the marker that mention anybody; in a conversation every message does. */
async function behindMentions(unit: UnitOfWork, read: readonly ReadSoFar[]): Promise<ReadSoFar[]> {
  const channelIds = new Set(read.flatMap(({ serverId, channelId }) => (serverId === null ? [] : channelId)));
  // Most channels have no mention after the marker, which one lookup per channel shows.
  const newest = await selectNewestMentions(unit.db, [...channelIds]);
  return read.filter(
    ({ serverId, channelId, lastReadId }) => serverId === null || (newest.get(channelId) ?? "") > lastReadId,
  );
}

/** Returns by reader, as a JSON array, the authors that do not count: the reader and the people they block. */
async function silentFor(unit: UnitOfWork, read: readonly ReadSoFar[]): Promise<Map<string, string>> {
  const authors = new Map(read.map(({ userId }) => [userId, [userId]]));
  const userIds = [...authors.keys()];
  for (const { user_id, blocked_id } of await selectBlocks(unit.db, userIds))
    authors.get(user_id)?.push(blocked_id);
  return new Map(userIds.map((userId) => [userId, JSON.stringify(authors.get(userId))]));
}
