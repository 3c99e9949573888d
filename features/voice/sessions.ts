// Which session asked for the token that somebody joined a room with: when it ends, they leave the room.
import type { House } from "../../server/house.ts";

/** A token is used within minutes, so the latest are enough. */
const remembered = 10_000;

/** Notes who asked; a bot has no session. */
export function noteAsking(house: House, channelId: string, userId: string, sessionId: string): void {
  askings(house).put(`${channelId} ${userId}`, sessionId);
}

export function askedBy(house: House, channelId: string, userId: string): string | null {
  return askings(house).peek(`${channelId} ${userId}`) || null;
}

function askings(house: House) {
  return house.cache<string>("voice-askings", remembered);
}
