// Remembers which session asked for a person's voice token: when the session ends, the person leaves the room.
import { Cache } from "../../server/house/cache.ts";
import { type House, perHouse } from "../../server/house/house.ts";

/** A token is used within minutes, so the latest are enough. */
const remembered = 10_000;

/** A token can first be used for five minutes, and is accepted for a minute longer. */
const freshMs = 6 * 60_000;

/** A token that may not have been used yet. */
export interface FreshToken {
  serverId: string;
  channelId: string;
  userId: string;
  /** For a bot, the id of its token. */
  sessionId: string;
  until: number;
}

/** By room and person, the oldest first. */
const fresh = perHouse("truth", () => new Map<string, FreshToken>());

/** By room and person: the session that asked. */
const askings = perHouse("truth", () => new Cache<string>(remembered));
const ends = perHouse("truth", () => new Cache<true>(remembered));

export function noteAsking(house: House, token: Omit<FreshToken, "until">): void {
  const key = `${token.channelId} ${token.userId}`;
  askings(house).put(key, token.sessionId);
  const tokens = fresh(house);
  tokens.delete(key);
  tokens.set(key, { ...token, until: Date.now() + freshMs });
  for (const [oldest, { until }] of tokens) {
    if (until > Date.now() && tokens.size <= remembered) break;
    tokens.delete(oldest);
  }
}

export function freshTokens(house: House): FreshToken[] {
  const tokens = fresh(house);
  return tokens.size === 0 ? [] : [...tokens.values()].filter(({ until }) => until > Date.now());
}

export function askedBy(house: House, channelId: string, userId: string): string | null {
  return askings(house).peek(`${channelId} ${userId}`) ?? null;
}

/** Voice tokens that these sessions asked for no longer count, including unused ones. */
export function noteEnd(house: House, sessionIds: readonly string[]): void {
  for (const id of sessionIds) ends(house).put(id, true);
}

export function hasEnded(house: House, sessionId: string | null): boolean {
  return sessionId !== null && ends(house).peek(sessionId) === true;
}
