// Remembers which session asked for a person's voice token: when the session ends, the person leaves the room.
import type { House } from "../../server/house/house.ts";
import { shortLived } from "../../server/house/short-lived.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { type Home, idOf } from "../../server/place.ts";
import { selectUser } from "../accounts/access.ts";
import { selectBot } from "../bots/access.ts";
import { selectSessions } from "../sessions/access.ts";

/** Tokens are used within minutes, so the latest suffice. */
const remembered = 10_000;

/** A token can first be used for five minutes, and is accepted for another minute. In milliseconds. */
const freshMs = 6 * 60_000;

/** Longer than anybody stays in a room, in milliseconds: reconnecting needs no new token. */
const askingMs = 7 * 24 * 3600_000;

/** A token that may not have been used yet. */
interface FreshToken {
  channelId: string;
  userId: string;
  /** For a bot, the id of its token. */
  sessionId: string;
}

/** By server or conversation, room and person. */
const fresh = shortLived<FreshToken>({ name: "voice tokens", keptMs: freshMs, most: remembered });

/** By room and person: the session that asked. */
const askings = shortLived<string>({ name: "voice askings", keptMs: askingMs, most: remembered });

export async function noteAsking(house: House, home: Home, token: FreshToken): Promise<void> {
  const key = `${token.channelId} ${token.userId}`;
  await fresh(house).put(`${idOf(home)} ${key}`, token);
  await askings(house).put(key, token.sessionId);
}

/** Returns the fresh tokens for the rooms of one server or conversation, or for all rooms. */
export function freshTokens(house: House, home?: Home): Promise<FreshToken[]> {
  return fresh(house).values(home === undefined ? "" : `${idOf(home)} `);
}

export async function askedBy(house: House, channelId: string, userId: string): Promise<string | null> {
  return (await askings(house).peek(`${channelId} ${userId}`)) ?? null;
}

/** True if a voice token requested by this session of the person has become invalid, even unused. */
export async function hasEnded(
  { db }: UnitOfWork,
  userId: string,
  sessionId: string | null,
): Promise<boolean> {
  if (sessionId === null) return false;
  if ((await selectSessions(db, userId)).some(({ id }) => id === sessionId)) return false;
  if ((await selectBot(db, userId))?.token_id !== sessionId) return true;
  // The token of a bot that the operator stopped still exists, but is no longer valid.
  return (await selectUser(db, userId))?.disabled_at !== null;
}
