// Voice rooms, which are voice channels and conversations: who may enter, and what they may publish there.
import { notFound, Refusal } from "../../protocol/errors.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import { id } from "../../protocol/shapes.ts";
import type { Caller } from "../../server/house/feature.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { channelSeenBy, type VisibleChannel } from "../channels/access.ts";
import { need } from "../servers/access.ts";

export { neededMedia } from "./media.ts";
export { selectRoom } from "./store.ts";

/** Asks that what waits for a person to come into a room ends: they have come. */
export const roomEntered = question<[channelId: string, userId: string], void>("voice.roomEntered");

/**
 * Returns the room and the caller's standing in it. Throws 404 unless the caller can see a room of this name, and
 * forbidden or blocked (403) where one of two people blocks the other.
 */
export async function findRoom(unit: UnitOfWork, userId: string, roomName: string): Promise<VisibleChannel> {
  const found = await roomSeenBy(unit, userId, roomName);
  if (!found) throw notFound();
  // Two people who block each other have no rights in their conversation.
  if (found.conversation) need(found.standing, "CONNECT_VOICE");
  return found;
}

async function roomSeenBy(unit: UnitOfWork, userId: string, roomName: string) {
  const room = id.safeParse(roomName);
  const found = room.success && (await channelSeenBy(unit, userId, room.data));
  return found && (found.conversation || found.channel.type === "voice") ? found : undefined;
}

/** Throws forbidden (403) unless the caller may enter this room. */
export function needToEnter({ conversation, standing }: VisibleChannel, { isBot }: Caller): void {
  if (conversation && isBot)
    throw new Refusal("forbidden", "Bots can enter the voice channels of servers only.");
  need(standing, "CONNECT_VOICE");
}

/** Returns the channel and the standing of a person who may be in this room; undefined for anybody else. */
export async function welcome(
  unit: UnitOfWork,
  userId: string,
  channelId: string,
): Promise<VisibleChannel | undefined> {
  const found = await roomSeenBy(unit, userId, channelId);
  return found && holds(found.standing, permission.CONNECT_VOICE) ? found : undefined;
}

/** Returns the permission bits that decide what a person may publish. */
export function publishingBits(standing: Pick<Standing, "bits">): number {
  return standing.bits & (permission.SPEAK_VOICE | permission.SHARE_SCREEN);
}
