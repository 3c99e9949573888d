// What a listener learns of voice besides events: with READY, and when a server's channels come into their sight.
import { timeText } from "../../protocol/clock.ts";
import type { LiveFrame } from "../../server/bus/bus.ts";
import type { Caller } from "../../server/feature.ts";
import { liveFrame, type Unit } from "../../server/unit.ts";
import { voiceChannelFor } from "./access.ts";
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
  const visible = await visibleTo(unit, caller.userId, serverIds);
  const byServer = Map.groupBy(visible, (row) => row.server_id);
  return new Map([...byServer].map(([serverId, rows]) => [serverId, { voice: rows.map(toState) }]));
}

/** The same as events, for somebody who has just gained the sight of the channels. */
export async function roomsFor(
  unit: Unit,
  userId: string,
  serverId: string,
  gained: boolean,
): Promise<LiveFrame[]> {
  if (!gained) return [];
  const frameOf = (type: string, data: unknown) => liveFrame(type, { userId }, data, undefined, serverId);
  const rows = await visibleTo(unit, userId, [serverId]);
  return rows.flatMap(({ channel_id, user_id, muted, deafened }) => [
    frameOf(voiceJoined.type, { channel_id, user_id }),
    ...(muted ? [frameOf(voiceMuted.type, { channel_id, user_id, muted: true })] : []),
    ...(deafened ? [frameOf(voiceDeafened.type, { channel_id, user_id, deafened: true })] : []),
  ]);
}

async function visibleTo(
  unit: Unit,
  userId: string,
  serverIds: readonly string[],
): Promise<VoiceParticipantsTable[]> {
  // Where no media service is set up any more, nobody is in its rooms.
  if (!unit.house.config.livekit) return [];
  const rows = await selectInServers(unit.db, serverIds);
  const visible = new Set<string>();
  for (const channelId of new Set(rows.map((row) => row.channel_id))) {
    if (await voiceChannelFor(unit, userId, channelId)) visible.add(channelId);
  }
  return rows.filter((row) => visible.has(row.channel_id));
}
