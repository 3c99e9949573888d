// Stores collected markers, and sends the moved ones to each person's devices.
import type { Audience } from "../../protocol/event.ts";
import type { Standing } from "../../protocol/permissions.ts";
import { standingsIn } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { personPlace } from "../../server/place.ts";
import { lowestId } from "../../server/tokens.ts";
import { selectChannelsById, sightOfEach } from "../channels/access.ts";
import { selectSeats } from "../direct/seats.ts";
import { selectJoinedIds } from "../members/access.ts";
import { readStateUpdated } from "./contract.ts";
import { keyOf, mentionCounts, type ReadSoFar } from "./counting.ts";
import { selectMarkers, upsertMarkers } from "./store.ts";

/** A marker on its way to the database. */
export interface Gathered extends ReadSoFar {
  /** True if the person's devices get an event; they need none if the person's own message moved the marker. */
  isTold: boolean;
}

/** Stores the markers that differ from the stored ones, of people who are still members and can see the channel. */
export async function storeMarkers(unit: UnitOfWork, gathered: readonly Gathered[]): Promise<void> {
  const before = await readBefore(unit, gathered);
  const standings = standingsOfReaders(unit, gathered);
  const differing = gathered.filter((marker) => {
    const last = before.get(keyOf(marker));
    return last !== undefined && last !== marker.lastReadId;
  });
  const moved = await seenBy(unit, differing, standings);
  await upsertMarkers(
    unit.db,
    moved.map(({ userId, channelId, serverId, lastReadId }) => ({
      user_id: userId,
      channel_id: channelId,
      server_id: serverId,
      last_read_id: lastReadId,
    })),
  );
  const told = moved.filter(({ isTold }) => isTold);
  const counts = await mentionCounts(
    unit,
    told,
    async (userId, serverId) => (await standings(serverId)).get(userId)?.roleIds ?? [],
  );
  for (const marker of told) {
    unit.emit(readStateUpdated, personPlace(marker.userId), {
      channel_id: marker.channelId,
      last_read_id: marker.lastReadId === lowestId ? null : marker.lastReadId,
      mention_count: counts.get(keyOf(marker)) ?? 0,
    });
  }
}

/** Returns by `keyOf` the last read message of those of these people who are members, or in the conversation. */
async function readBefore(unit: UnitOfWork, gathered: readonly Gathered[]): Promise<Map<string, string>> {
  const since = await sinceJoining(unit, gathered);
  const keys = gathered.map(({ userId, channelId }) => ({ user_id: userId, channel_id: channelId }));
  const stored = new Map<string, string>();
  for (const { user_id, channel_id, last_read_id } of await selectMarkers(unit.db, keys)) {
    stored.set(keyOf({ userId: user_id, channelId: channel_id }), last_read_id);
  }
  return new Map([...since].map(([key, joined]) => [key, stored.get(key) ?? joined]));
}

/** Returns by `keyOf` what those who are members, or in the conversation, had read when they came. */
async function sinceJoining(unit: UnitOfWork, gathered: readonly Gathered[]): Promise<Map<string, string>> {
  const pairs = new Map<string, { user_id: string; server_id: string }>();
  const seats = [];
  for (const { userId: user_id, serverId: server_id, channelId: channel_id } of gathered) {
    if (server_id === null) seats.push({ user_id, channel_id });
    else pairs.set(`${user_id} ${server_id}`, { user_id, server_id });
  }
  const joined = new Map<string, string>();
  for (const row of await selectJoinedIds(unit.db, [...pairs.values()], unit.locksRows))
    joined.set(`${row.user_id} ${row.server_id}`, row.joined_id);
  for (const row of await selectSeats(unit.db, seats))
    joined.set(`${row.user_id} ${row.channel_id}`, row.joined_id);
  const since = new Map<string, string>();
  for (const marker of gathered) {
    const id = joined.get(`${marker.userId} ${marker.serverId ?? marker.channelId}`);
    if (id !== undefined) since.set(keyOf(marker), id);
  }
  return since;
}

type Standings = (serverId: string) => ReturnType<typeof standingsIn>;

/** Looks up standings per server, for all of the people at once. */
function standingsOfReaders(unit: UnitOfWork, read: readonly Gathered[]): Standings {
  const readers = Map.groupBy(read, ({ serverId }) => serverId);
  const known = new Map<string, ReturnType<typeof standingsIn>>();
  return async (serverId) => {
    const userIds = new Set(readers.get(serverId)?.map((marker) => marker.userId));
    const looked = known.get(serverId) ?? standingsIn(unit, serverId, [...userIds]);
    known.set(serverId, looked);
    return looked;
  };
}

/** Returns the markers of existing channels that their readers can see, as of the time of storing. */
async function seenBy(
  unit: UnitOfWork,
  markers: readonly Gathered[],
  standings: Standings,
): Promise<Gathered[]> {
  const channelIds = new Set(markers.map(({ channelId }) => channelId));
  const channels = new Map(
    (await selectChannelsById(unit.db, [...channelIds])).map(({ id, audience }) => [id, audience]),
  );
  // The people of a conversation see it.
  const seen = markers.filter(({ serverId, channelId }) => serverId === null && channels.has(channelId));
  const ofMembers: { marker: Gathered; audience: Audience; standing: Standing }[] = [];
  for (const marker of markers) {
    if (marker.serverId === null) continue;
    const audience = channels.get(marker.channelId);
    const standing = (await standings(marker.serverId)).get(marker.userId);
    if (audience !== undefined && standing) ofMembers.push({ marker, audience, standing });
  }
  const sights = await sightOfEach(
    unit,
    ofMembers.map(({ standing }) => standing),
  );
  return [
    ...seen,
    ...ofMembers.flatMap(({ marker, audience }, i) => (sights[i]?.has(audience) ? [marker] : [])),
  ];
}
