// What a listener learns of voice besides events: with READY, and when a server's channels come into their sight.
import { timeText } from "../../protocol/clock.ts";
import type { Caller } from "../../server/house/feature.ts";
import { frameOf, type Unit } from "../../server/house/unit.ts";
import { seenServers, selectChannelsById } from "../channels/access.ts";
import { type VoiceState, voiceDeafened, voiceJoined, voiceMuted } from "./contract.ts";
import { selectInServers, type VoiceParticipantsTable } from "./store.ts";

export function toState(row: VoiceParticipantsTable): VoiceState {
  return {
    channel_id: row.channel_id,
    user_id: row.user_id,
    muted: row.muted === 1,
    deafened: row.deafened === 1,
    joined_at: timeText(row.joined_at),
  };
}

/** READY's `voice`: who is in the rooms of channels that the caller can see. */
export async function heldRooms(
  unit: Unit,
  caller: Caller,
  serverIds: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const rows = await occupants(unit, await seenServers(unit, serverIds, caller.userId));
  const byServer = Map.groupBy(rows, (row) => row.server_id);
  return new Map(serverIds.map((id) => [id, { voice: (byServer.get(id) ?? []).map(toState) }]));
}

/** The same as events, for those who have just gained the sight of the channels. */
export async function roomsFor(unit: Unit, serverId: string, gained: boolean): Promise<string[]> {
  if (!gained) return [];
  const rows = await occupants(unit, [serverId]);
  return rows.flatMap(({ channel_id, user_id, muted, deafened }) => [
    frameOf(voiceJoined, serverId, { channel_id, user_id }),
    ...(muted ? [frameOf(voiceMuted, serverId, { channel_id, user_id, muted: true })] : []),
    ...(deafened ? [frameOf(voiceDeafened, serverId, { channel_id, user_id, deafened: true })] : []),
  ]);
}

/** Who is in the rooms of these servers, of those that there are. */
async function occupants(unit: Unit, serverIds: readonly string[]): Promise<VoiceParticipantsTable[]> {
  // Where no media service is set up any more, nobody is in its rooms.
  if (!unit.house.config.livekit) return [];
  const rows = await selectInServers(unit.db, serverIds);
  if (rows.length === 0) return [];
  const channels = await selectChannelsById(unit.db, [...new Set(rows.map((row) => row.channel_id))]);
  const rooms = new Set(channels.filter(({ type }) => type === "voice").map(({ id }) => id));
  return rows.filter((row) => rooms.has(row.channel_id));
}
