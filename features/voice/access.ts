// The rights of voice: who may be in a room, and what a member may publish there.
import { notFound, Refusal } from "../../protocol/errors.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import { id } from "../../protocol/shapes.ts";
import type { Unit } from "../../server/house/unit.ts";
import { findChannel, type VisibleChannel } from "../channels/access.ts";

/** The voice channel and the caller's standing; 404 unless it is a voice channel that the caller can see. */
export async function findVoiceChannel(
  unit: Unit,
  userId: string,
  roomName: string,
): Promise<VisibleChannel> {
  const room = id.safeParse(roomName);
  if (!room.success) throw notFound();
  const found = await findChannel(unit, userId, room.data);
  if (found.channel.type !== "voice") throw notFound();
  return found;
}

/** The channel and the standing of a person who may be in this room; undefined for anybody else. */
export async function welcome(
  unit: Unit,
  userId: string,
  channelId: string,
): Promise<VisibleChannel | undefined> {
  try {
    const found = await findVoiceChannel(unit, userId, channelId);
    return holds(found.standing, permission.CONNECT_VOICE) ? found : undefined;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not_found") return undefined;
    throw error;
  }
}

/** The two bits that decide what a person may publish. */
export function publishingBits(standing: Pick<Standing, "bits">): number {
  return standing.bits & (permission.SPEAK_VOICE | permission.SHARE_SCREEN);
}
