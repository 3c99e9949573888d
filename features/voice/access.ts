// Voice permissions: who may enter a room, and what a member may publish there.
import { notFound } from "../../protocol/errors.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import { id } from "../../protocol/shapes.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { channelSeenBy, type VisibleChannel, type VisibleServerChannel } from "../channels/access.ts";

/** Returns the voice channel and the caller's standing; throws 404 unless the caller can see a voice channel. */
export async function findVoiceChannel(
  unit: UnitOfWork,
  userId: string,
  roomName: string,
): Promise<VisibleServerChannel> {
  const found = await voiceChannelSeenBy(unit, userId, roomName);
  if (!found) throw notFound();
  return found;
}

async function voiceChannelSeenBy(unit: UnitOfWork, userId: string, roomName: string) {
  const room = id.safeParse(roomName);
  const found = room.success && (await channelSeenBy(unit, userId, room.data));
  return found && isVoice(found) ? found : undefined;
}

function isVoice(found: VisibleChannel): found is VisibleServerChannel {
  return found.channel.type === "voice";
}

/** Returns the channel and the standing of a person who may be in this room; undefined for anybody else. */
export async function welcome(
  unit: UnitOfWork,
  userId: string,
  channelId: string,
): Promise<VisibleServerChannel | undefined> {
  const found = await voiceChannelSeenBy(unit, userId, channelId);
  return found && holds(found.standing, permission.CONNECT_VOICE) ? found : undefined;
}

/** Returns the permission bits that decide what a person may publish. */
export function publishingBits(standing: Pick<Standing, "bits">): number {
  return standing.bits & (permission.SPEAK_VOICE | permission.SHARE_SCREEN);
}
