// Which session asked for the token that somebody joined a room with: when it ends, they leave the room.
import type { House } from "../../server/house.ts";

/** A token is used within minutes, so the latest are enough. */
const remembered = 10_000;

/** Notes who asked; what a session is to a person, its token is to a bot. */
export function noteAsking(house: House, channelId: string, userId: string, sessionId: string): void {
  askings(house).put(`${channelId} ${userId}`, sessionId);
}

export function askedBy(house: House, channelId: string, userId: string): string | null {
  return askings(house).peek(`${channelId} ${userId}`) ?? null;
}

/** Its tokens are no way in any more, also when nobody has joined with them yet. */
export function noteEnd(house: House, sessionIds: readonly string[]): void {
  for (const id of sessionIds) ends(house).put(id, true);
}

export function hasEnded(house: House, sessionId: string | null): boolean {
  return sessionId !== null && ends(house).peek(sessionId) === true;
}

function ends(house: House) {
  return house.cache<true>("voice-ended-sessions", remembered);
}

function askings(house: House) {
  return house.cache<string>("voice-askings", remembered);
}
