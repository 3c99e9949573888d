// Registering, signing in and out, changing the password. Slow hashing happens before the transaction opens.
import { timeText } from "../../protocol/clock.ts";
import { notFound, Refusal } from "../../protocol/errors.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { newId, newToken, tokenHash } from "../../server/tokens.ts";
import { avatarFor, lockUser, selectByLogin, selectUser, setPasswordHash } from "../accounts/access.ts";
import {
  absoluteMs,
  authenticate,
  endSessions,
  lastUses,
  openSession,
  removeSessions,
  slidingMs,
  withoutSession,
  withSession,
} from "./access.ts";
import { admit, needAdmission } from "./admission.ts";
import { beginTry, signedIn, trySucceeded, typed } from "./attempts.ts";
import * as contract from "./contract.ts";
import { selectExpired, selectSessions, sessionMigrations, touchSessions, updateTokenHash } from "./store.ts";

export const sessions: Feature = {
  name: "sessions",
  migrations: sessionMigrations,
  authenticate,
  operations: [
    handle(contract.register, async ({ body, unit, request }) => {
      const { house } = unit;
      await needAdmission(unit, body);
      const person = {
        id: newId(),
        username: body.username,
        email: body.email,
        displayName: body.display_name,
        avatar: avatarFor(house, body.email),
        passwordHash: await house.passwords.hash(body.password),
      };
      const token = await unit.write(async (write) => {
        await admit(write, person, body);
        return openSession(write, person.id, request);
      });
      return withSession(house, { id: person.id }, token);
    }),

    handle(contract.login, async ({ body, unit, request }) => {
      const { house } = unit;
      const user = await selectByLogin(unit.db, body.email);
      const name = typed(body.email);
      await beginTry(house, name);
      if (!(await house.passwords.verify(body.password, user?.password_hash ?? undefined)) || !user) {
        throw wrongCredentials();
      }
      const token = await unit.write(async (write) => {
        if (!(await isUnchanged(write, user))) throw wrongCredentials();
        return openSession(write, user.id, request);
      });
      await trySucceeded(house, name);
      return withSession(house, { id: user.id }, token);
    }),

    handle(contract.logout, async ({ caller, unit }) => {
      await endSessions(unit, caller.userId, (session) => session.id === caller.sessionId);
      return withoutSession(unit.house);
    }),

    handle(contract.changePassword, async ({ caller, body, unit }) => {
      const { house } = unit;
      const before = await selectUser(unit.db, caller.userId);
      await beginTry(house, signedIn(caller.userId));
      const isRight = await house.passwords.verify(body.current_password, before?.password_hash ?? undefined);
      if (!before || !isRight) throw wrongPassword();
      await trySucceeded(house, signedIn(caller.userId));
      const hash = await house.passwords.hash(body.new_password);
      const token = newToken("hs_");
      await unit.write(async (write) => {
        if (!(await isUnchanged(write, before))) throw wrongPassword();
        await setPasswordHash(write, caller.userId, hash);
        const current = (await selectSessions(write.db, caller.userId)).find(
          (each) => each.id === caller.sessionId,
        );
        if (!current) throw new Refusal("unauthenticated", "This session ended meanwhile. Sign in again.");
        await endSessions(write, caller.userId, (session) => session.id !== caller.sessionId);
        await updateTokenHash(write.db, current.id, tokenHash(token));
        write.drop("sessions", current.token_hash);
      });
      return withSession(house, undefined, token);
    }),

    handle(contract.listSessions, async ({ caller, unit }) => {
      const uses = lastUses(unit.house);
      return (await selectSessions(unit.db, caller.userId)).map((session) => ({
        id: session.id,
        created_at: timeText(session.created_at),
        last_used_at: timeText(uses.get(session.id) ?? session.last_used_at),
        user_agent: session.user_agent,
        current: session.id === caller.sessionId,
      }));
    }),

    handle(contract.endSession, async ({ caller, params, unit }) => {
      if ((await endSessions(unit, caller.userId, (session) => session.id === params.id)) === 0)
        throw notFound();
      return params.id === caller.sessionId ? withoutSession(unit.house) : undefined;
    }),
  ],
  events: [contract.sessionsUpdated],
  jobs: [
    { name: "write down when sessions were used", everyMs: 60_000, isEverywhere: true, run: writeLastUses },
    { name: "end expired sessions", everyMs: 300_000, deletesByAge: true, run: endExpired },
  ],
};

/** Whether the password that was checked without a lock is still the person's now that their row is locked. */
async function isUnchanged(
  write: UnitOfWork,
  checked: { id: string; password_hash: string | null },
): Promise<boolean> {
  const now = await lockUser(write, checked.id);
  return now?.password_hash === checked.password_hash;
}

function wrongCredentials(): Refusal {
  return new Refusal("invalid_credentials", "The name or the password is wrong.");
}

function wrongPassword(): Refusal {
  return new Refusal("wrong_password", "The current password is wrong.");
}

async function writeLastUses(house: House): Promise<boolean> {
  const waiting = lastUses(house);
  const uses = Array.from(waiting, ([id, at]) => ({ id, at }));
  for (let i = 0; i < uses.length; i += 500) {
    const piece = uses.slice(i, i + 500);
    await house.write((unit) => touchSessions(unit.db, piece));
    // Uses that could not be written stay for the next time, and so do sessions used again meanwhile.
    for (const { id, at } of piece) if (waiting.get(id) === at) waiting.delete(id);
  }
  return false;
}

/** Expired sessions that end in one commit. */
const endedAtOnce = 100;

async function endExpired(house: House): Promise<boolean> {
  const now = Date.now();
  const before = { used: now - slidingMs, created: now - absoluteMs };
  const expired = await selectExpired(house.database.read, before, endedAtOnce);
  const uses = lastUses(house);
  const over = expired.filter(
    (each) =>
      now - (uses.get(each.id) ?? each.last_used_at) > slidingMs || now - each.created_at > absoluteMs,
  );
  if (over.length === 0) return false;
  await house.write(async (unit) => {
    for (const [userId, sessions] of Map.groupBy(over, (session) => session.user_id)) {
      await removeSessions(unit, userId, sessions);
    }
  });
  return expired.length === endedAtOnce;
}
