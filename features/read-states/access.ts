// Read states as READY reports them: from stored and pending markers, or since the person joined.
import type { ReadyEntry } from "../../server/house/feature.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lowestId } from "../../server/tokens.ts";
import type { Channel, Conversation } from "../channels/contract.ts";
import { selectSeats } from "../direct/seats.ts";
import { selectJoinedIds } from "../members/access.ts";
import type { ReadState } from "./contract.ts";
import { keyOf, mentionCounts, type ReadSoFar } from "./counting.ts";
import { gathering } from "./gathering.ts";
import { selectMarkers, selectMarkersOf } from "./store.ts";

/** Returns the read states of the text channels in these entries of READY. */
export async function readStatesIn(
  unit: UnitOfWork,
  userId: string,
  entries: readonly ReadyEntry[],
): Promise<ReadState[]> {
  if (entries.length === 0) return [];
  const roles = new Map(entries.map((entry) => [entry.id, entry.role_ids as string[]]));
  return statesOf(unit, await readSoFar(unit, userId, entries), (serverId) => roles.get(serverId) ?? []);
}

/** Returns the read states of these conversations. */
export async function readStatesOf(
  unit: UnitOfWork,
  userId: string,
  conversations: readonly Pick<Conversation, "id" | "last_message_id">[],
): Promise<ReadState[]> {
  if (conversations.length === 0) return [];
  const keys = conversations.map(({ id }) => ({ user_id: userId, channel_id: id }));
  const since = new Map((await selectSeats(unit.db, keys)).map((seat) => [seat.channel_id, seat.joined_id]));
  const stored = new Map(
    (await selectMarkers(unit.db, keys)).map((row) => [row.channel_id, row.last_read_id]),
  );
  const waiting = gathering(unit.house).of(userId);
  const read = conversations.map(({ id }) => {
    const lastReadId = waiting.get(id) ?? stored.get(id) ?? since.get(id) ?? lowestId;
    return { userId, serverId: null, channelId: id, lastReadId };
  });
  const unread = read.filter(({ lastReadId }, i) => (conversations[i]?.last_message_id ?? "") > lastReadId);
  return statesOf(unit, { read, unread }, () => []);
}

/** The markers of channels, and those of them with later messages. */
interface Marked {
  read: ReadSoFar[];
  unread: ReadSoFar[];
}

async function statesOf(
  unit: UnitOfWork,
  { read, unread }: Marked,
  rolesHeld: (serverId: string) => readonly string[],
): Promise<ReadState[]> {
  const counts = await mentionCounts(unit, unread, (_, serverId) => rolesHeld(serverId));
  return read.map((marker) => ({
    channel_id: marker.channelId,
    last_read_id: marker.lastReadId === lowestId ? null : marker.lastReadId,
    mention_count: counts.get(keyOf(marker)) ?? 0,
  }));
}

/** Returns the read states of the unread channels of a server, as READY would report them. */
export async function unreadIn(unit: UnitOfWork, userId: string, entry: ReadyEntry): Promise<ReadState[]> {
  const { unread } = await readSoFar(unit, userId, [entry]);
  const channelIds = new Set(unread.map(({ channelId }) => channelId));
  if (channelIds.size === 0) return [];
  return (await readStatesIn(unit, userId, [entry])).filter(({ channel_id }) => channelIds.has(channel_id));
}

/** Returns those of a person's read states whose marker has not moved; a moved one has an event of its own. */
export function notMoved(unit: UnitOfWork, userId: string, states: readonly ReadState[]): ReadState[] {
  const moving = gathering(unit.house).of(userId);
  return states.filter(({ channel_id, last_read_id }) => {
    const now = moving.get(channel_id);
    return now === undefined || now === (last_read_id ?? lowestId);
  });
}

/** Returns markers at the last messages of the channels of a server that a person has not read completely. */
export async function readThrough(
  unit: UnitOfWork,
  userId: string,
  server: { id: string; channels: readonly Channel[] },
): Promise<ReadSoFar[]> {
  const last = new Map(server.channels.map(({ id, last_message_id }) => [id, last_message_id ?? lowestId]));
  const { unread } = await readSoFar(unit, userId, [server]);
  return unread.map((marker) => ({ ...marker, lastReadId: last.get(marker.channelId) ?? lowestId }));
}

/** Returns the marker of each text channel, and which of the channels have later messages. */
async function readSoFar(unit: UnitOfWork, userId: string, entries: readonly ReadyEntry[]): Promise<Marked> {
  const serverIds = entries.map(({ id }) => id);
  const pairs = serverIds.map((server_id) => ({ server_id, user_id: userId }));
  const joined = new Map(
    (await selectJoinedIds(unit.db, pairs, false)).map((row) => [row.server_id, row.joined_id]),
  );
  const stored = new Map(
    (await selectMarkersOf(unit.db, userId, serverIds)).map((row) => [row.channel_id, row.last_read_id]),
  );
  const waiting = gathering(unit.house).of(userId);
  const read: ReadSoFar[] = [];
  const unread: ReadSoFar[] = [];
  for (const { id: serverId, channels } of entries) {
    const since = joined.get(serverId) ?? lowestId;
    for (const { id: channelId, type, last_message_id } of channels as readonly Channel[]) {
      if (type !== "text") continue;
      const lastReadId = waiting.get(channelId) ?? stored.get(channelId) ?? since;
      const marker = { userId, serverId, channelId, lastReadId };
      read.push(marker);
      if (last_message_id !== null && last_message_id > lastReadId) unread.push(marker);
    }
  }
  return { read, unread };
}

/** A message and its location. */
interface Readable {
  id: string;
  channel_id: string;
  server_id: string | null;
}

/** Returns those of these people who are members, or in the conversation, and have read the message. */
export async function readersAmong(
  unit: UnitOfWork,
  { id, channel_id, server_id }: Readable,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  // Read before the table: a marker stored in between would otherwise be missed in both.
  const waiting = new Map(
    userIds.map((userId) => [userId, gathering(unit.house).at({ userId, channelId: channel_id })]),
  );
  const keys = userIds.map((user_id) => ({ user_id, channel_id }));
  const joined =
    server_id === null
      ? await selectSeats(unit.db, keys)
      : await selectJoinedIds(
          unit.db,
          userIds.map((user_id) => ({ server_id, user_id })),
          false,
        );
  const stored = new Map((await selectMarkers(unit.db, keys)).map((row) => [row.user_id, row.last_read_id]));
  const readers = joined.filter(
    ({ user_id, joined_id }) => (waiting.get(user_id) ?? stored.get(user_id) ?? joined_id) >= id,
  );
  return new Set(readers.map(({ user_id }) => user_id));
}
