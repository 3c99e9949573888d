// Opens, authenticates and ends sessions, for all ways of signing in.

import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { sessionCookie } from "../../server/caller/authentication.ts";
import type { Caller, RequestFacts, TokenScheme } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { onceKnown, type Soon } from "../../server/house/known.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { question } from "../../server/house/question.ts";
import { withHeaders } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { personPlace } from "../../server/place.ts";
import { newId, newToken, tokenHash } from "../../server/tokens.ts";
import { lockUser, selectUser } from "../accounts/access.ts";
import { sessionsUpdated } from "./contract.ts";
import { raiseLastSeen, selectLastSeen } from "./last-seen.ts";
import { raisePasswordSignIn, selectPasswordSignIn } from "./password-sign-ins.ts";
import {
  deleteSessions,
  insertSession,
  type SessionsTable,
  type SessionWay,
  selectByHash,
  selectSessions,
  selectUses,
} from "./store.ts";

export { forgetFailures } from "./attempts.ts";
export { selectSessions } from "./store.ts";
export { warnByMail } from "./warning-mail.ts";

const day = 24 * 3600_000;
export const slidingMs = 30 * day;
export const absoluteMs = 180 * day;
const sessionsRemembered = 50_000;

/** How often a browser's cookie is sent again, with its full lifetime. In milliseconds. */
const renewedMs = day;

/** The columns of an account that tell when its person signed in. */
interface Account {
  id: string;
  created_at: number;
}

interface Known {
  session: SessionsTable;
  caller: Caller;
  /** When the cookie was last sent, as far as this process knows. */
  cookieAt: number;
}

/** Session uses remembered while the database takes no writes; further ones are dropped. */
const usesRemembered = 100_000;

/** Last uses of sessions by id that are not written yet: no request waits for the write. */
export const lastUses = perHouse("queue", () => new Map<string, number>());

/**
 * Opens a session with a new token; a token sent by the client is never reused. The person has proved who they are, so
 * they may be told that their account is disabled.
 */
export async function openSession(
  unit: UnitOfWork,
  userId: string,
  { userAgent }: RequestFacts,
  way: SessionWay,
): Promise<string> {
  const user = await lockUser(unit, userId);
  if (user?.disabled_at != null) {
    unit.house.log.info({ user_id: userId, by: way }, "a sign-in was refused: the account is disabled");
    throw new Refusal("forbidden", "This account is disabled. Ask the operator of this server.");
  }
  await makeRoom(unit, userId);
  const token = newToken("hs_");
  const now = Date.now();
  const id = newId();
  await insertSession(unit.db, {
    id,
    user_id: userId,
    token_hash: tokenHash(token),
    user_agent: userAgent,
    created_at: now,
    last_used_at: now,
    opened_by: way,
  });
  unit.log({ user_id: userId, session_id: id, by: way }, "a session was opened");
  emitSessionsUpdated(unit, userId);
  return token;
}

/** Ends a person's least recently used sessions above the limit, with their sockets. */
async function makeRoom(unit: UnitOfWork, userId: string): Promise<void> {
  const known = await selectSessions(unit.db, userId);
  const over = known.length - (limits.sessions_max - 1);
  if (over <= 0) return;
  const uses = lastUses(unit.house);
  const usedAt = (session: SessionsTable) => uses.get(session.id) ?? session.last_used_at;
  known.sort((one, other) => usedAt(one) - usedAt(other));
  const ending = new Set(known.slice(0, over).map((session) => session.id));
  await endSessions(unit, userId, (session) => ending.has(session.id));
}

/** Returns the caller of a session's token; null if the token is not valid (any more). */
export function authenticate(
  house: House,
  scheme: TokenScheme,
  token: string,
  lookingUp: () => Soon<void>,
): Soon<Caller | null> | undefined {
  if (scheme === "Bot" || !token.startsWith("hs_")) return undefined;
  const hash = tokenHash(token);
  const cache = house.cache<Known | null>("sessions", sessionsRemembered);
  const find = () =>
    cache.get(hash, async () => {
      await lookingUp();
      const session = await selectByHash(house.database.read, hash);
      const user = session && (await selectUser(house.database.read, session.user_id));
      // Uses that are not written yet are known here.
      const usedAt = (session && lastUses(house).get(session.id)) ?? 0;
      return session && user?.disabled_at === null
        ? {
            session: { ...session, last_used_at: Math.max(session.last_used_at, usedAt) },
            caller: { userId: session.user_id, isBot: false, sessionId: session.id, tokenHash: hash },
            cookieAt: session.created_at,
          }
        : null;
    });
  const use = (known: Known | null) => {
    if (known === null) cache.drop(hash);
    return known && usedNow(house, scheme, token, known);
  };
  return onceKnown(find(), (known) => {
    if (known === null || !isUnused(known.session)) return use(known);
    // The cache entry may be weeks old: another process may have been used meanwhile, and stored that.
    cache.drop(hash);
    return onceKnown(find(), use);
  });
}

function isUnused({ last_used_at }: SessionsTable): boolean {
  return Date.now() - last_used_at > slidingMs;
}

/** Records a use of the session; null if it has expired. */
function usedNow(house: House, scheme: TokenScheme, token: string, known: Known): Caller | null {
  const now = Date.now();
  const { session } = known;
  if (isUnused(session) || now - session.created_at > absoluteMs) return null;
  // A clock that is behind would write a time that looks old once the clock is right again.
  if (!house.clock.isBehind(now)) {
    session.last_used_at = now;
    session.created_at = Math.min(session.created_at, now);
    const uses = lastUses(house);
    if (uses.size < usesRemembered || uses.has(session.id)) uses.set(session.id, now);
  }
  if (scheme !== "Cookie" || Math.abs(now - known.cookieAt) < renewedMs) return known.caller;
  known.cookieAt = now;
  const lifeMs = Math.min(slidingMs, session.created_at + absoluteMs - now);
  return { ...known.caller, renewal: cookie(house, token, Math.ceil(lifeMs / 1000)) };
}

/** Ends sessions: after the commit their tokens are invalid and their sockets close. */
export async function endSessions(
  unit: UnitOfWork,
  userId: string,
  which: (session: SessionsTable) => boolean,
): Promise<number> {
  const ended = (await selectSessions(unit.db, userId)).filter(which);
  if (ended.length > 0) await removeSessions(unit, userId, ended);
  return ended.length;
}

/**
 * Returns the caller's session, once the account is locked. Throws unauthenticated (401) if it ended meanwhile, or goes
 * on under another token.
 */
export async function ownSession(unit: UnitOfWork, caller: Caller): Promise<SessionsTable> {
  const session = (await selectSessions(unit.db, caller.userId)).find(
    ({ id, token_hash }) => id === caller.sessionId && token_hash === caller.tokenHash,
  );
  if (session) return session;
  throw new Refusal("unauthenticated", "This session ended meanwhile. Sign in again.");
}

/** Asked before these sessions of a person are deleted: later features delete what depends on them. */
export const sessionsEnd = question<[userId: string, sessionIds: readonly string[]], void>(
  "sessions.sessionsEnd",
);

/** Asked when a password is stored with a new hash: the password stays, and so does what depends on the old hash. */
export const passwordRehashed = question<[userId: string, before: string, after: string], void>(
  "sessions.passwordRehashed",
);

/** Asked together with a new password: passkeys of the person other than these are deleted. */
export const passkeysReduced = question<[userId: string, keptIds: readonly string[]], void>(
  "sessions.passkeysReduced",
);

/** Deletes these sessions of a person, and records what is still needed of them. */
export async function removeSessions(
  unit: UnitOfWork,
  userId: string,
  sessions: readonly SessionsTable[],
): Promise<void> {
  const sessionIds = sessions.map((session) => session.id);
  await unit.ask(sessionsEnd, userId, sessionIds);
  const uses = lastUses(unit.house);
  const seen = sessions.map(({ id, last_used_at }) => uses.get(id) ?? last_used_at);
  await raiseLastSeen(unit.db, userId, Math.max(...seen));
  const byPasswordAt = sessions.filter(isByPassword).map(({ created_at }) => created_at);
  if (byPasswordAt.length > 0) await raisePasswordSignIn(unit.db, userId, Math.max(...byPasswordAt));
  await deleteSessions(unit.db, sessionIds);
  for (const session of sessions) unit.drop("sessions", session.token_hash);
  unit.items.push({ kind: "sessions-ended", userId, sessionIds });
  unit.log({ user_id: userId, session_ids: sessionIds }, "sessions were ended");
  emitSessionsUpdated(unit, userId);
}

/** Returns by user id when each of these people was last seen; those who never had a session are left out. */
export async function lastSeenOf(unit: UnitOfWork, userIds: readonly string[]): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (const { user_id, at } of await selectLastSeen(unit.db, userIds)) seen.set(user_id, at);
  const uses = lastUses(unit.house);
  for (const { id, user_id, last_used_at } of await selectUses(unit.db, userIds)) {
    seen.set(user_id, Math.max(seen.get(user_id) ?? 0, uses.get(id) ?? last_used_at));
  }
  return seen;
}

function emitSessionsUpdated(unit: UnitOfWork, userId: string): void {
  unit.emit(sessionsUpdated, personPlace(userId), {});
}

/**
 * Returns when the person last signed in by the password, in milliseconds since 1970; registering and links for a new
 * password count. If all password sessions of an account ended before this was recorded, returns when the account was
 * created.
 */
export async function signedInByPasswordAt(unit: UnitOfWork, { id, created_at }: Account): Promise<number> {
  const ended = await selectPasswordSignIn(unit.db, id);
  const open = (await selectSessions(unit.db, id)).find(isByPassword)?.created_at;
  const known = [ended, open].filter((at) => at !== undefined);
  return known.length === 0 ? created_at : Math.max(...known);
}

/** Records that the person proved their identity by a link, and knows the password from now on. */
export function notePasswordByLink(unit: UnitOfWork, userId: string): Promise<void> {
  return raisePasswordSignIn(unit.db, userId, Date.now());
}

/** A session without a recorded way may have been opened by the password. */
function isByPassword({ opened_by }: SessionsTable): boolean {
  return opened_by !== "passkey";
}

/** Adds a session to a response: in the cookie for browsers, in X-Session-Token for other clients. */
export function withSession(house: House, body: unknown, token: string) {
  return withHeaders(body, {
    "Set-Cookie": cookie(house, token, Math.floor(slidingMs / 1000)),
    "X-Session-Token": token,
  });
}

export function withoutSession(house: House) {
  return withHeaders(undefined, { "Set-Cookie": cookie(house, "", 0) });
}

function cookie(house: House, value: string, maxAgeS: number): string {
  const secure = house.config.cookieSecure ? "; Secure" : "";
  return `${sessionCookie}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`;
}
