// Voice state for listeners besides events: in READY, and when channels become visible.

import { timeText } from "../../protocol/clock.ts";
import type { Audience } from "../../protocol/event.ts";
import type { VoiceState } from "../../protocol/voice.ts";
import type { SightChange } from "../../server/gateway/sight.ts";
import type { Caller } from "../../server/house/feature.ts";
import { frameOf, type UnitOfWork } from "../../server/house/unit.ts";
import { serverStream } from "../../server/place.ts";
import { selectChannelsById, sightIn } from "../channels/access.ts";
import { voiceDeafened, voiceJoined, voiceMuted } from "./contract.ts";
import { selectInRooms, selectInServers, type VoiceParticipantsTable } from "./store.ts";

export function toState(row: VoiceParticipantsTable): VoiceState {
  return {
    channel_id: row.channel_id,
    user_id: row.user_id,
    muted: row.muted === 1,
    deafened: row.deafened === 1,
    joined_at: timeText(row.joined_at),
  };
}

/** READY's `voice`: the people in the rooms that the caller can see. */
export async function heldRooms(
  unit: UnitOfWork,
  caller: Caller,
  serverIds: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const rows = await occupants(unit, await sightIn(unit, serverIds, caller.userId));
  const byServer = Map.groupBy(rows, (row) => row.server_id);
  return new Map(serverIds.map((id) => [id, { voice: (byServer.get(id) ?? []).map(toState) }]));
}

/** The people in the rooms of these conversations, by conversation. */
export async function heldConversations(
  { db, house }: UnitOfWork,
  _userId: string,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, { voice: VoiceState[] }>> {
  // Rows may be left from a media service that is no longer set up.
  const rows = house.config.livekit ? await selectInRooms(db, channelIds) : [];
  const byRoom = Map.groupBy(rows, (row) => row.channel_id);
  return new Map([...byRoom].map(([id, people]) => [id, { voice: people.map(toState) }]));
}

/** READY's `voice` of servers as event frames, for listeners who have just gained VIEW_CHANNEL. */
export async function roomsFor(
  unit: UnitOfWork,
  serverId: string,
  { gained }: SightChange,
): Promise<string[]> {
  if (gained.size === 0) return [];
  const rows = await occupants(unit, new Map([[serverId, gained]]));
  const stream = serverStream(serverId);
  return rows.flatMap(({ channel_id, user_id, muted, deafened }) => [
    frameOf(voiceJoined, stream, { channel_id, user_id }),
    ...(muted ? [frameOf(voiceMuted, stream, { channel_id, user_id, muted: true })] : []),
    ...(deafened ? [frameOf(voiceDeafened, stream, { channel_id, user_id, deafened: true })] : []),
  ]);
}

/** Returns the participants in the rooms of these servers whose channels have one of the requested audiences. */
async function occupants(
  unit: UnitOfWork,
  audiences: ReadonlyMap<string, ReadonlySet<Audience> | ReadonlyMap<Audience, unknown>>,
): Promise<VoiceParticipantsTable[]> {
  // Rows may be left from a media service that is no longer set up.
  if (!unit.house.config.livekit) return [];
  const rows = await selectInServers(unit.db, [...audiences.keys()]);
  if (rows.length === 0) return [];
  const channels = await selectChannelsById(unit.db, [...new Set(rows.map((row) => row.channel_id))]);
  const rooms = new Map(
    channels.flatMap(({ id, type, audience }) => (type === "voice" ? [[id, audience]] : [])),
  );
  return rows.filter(({ channel_id, server_id }) =>
    audiences.get(server_id ?? "")?.has(rooms.get(channel_id) ?? ""),
  );
}
