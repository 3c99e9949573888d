// Registering, signing in and out, changing the password, and the list of the caller's sessions.
import { timeText } from "../../protocol/clock.ts";
import { notFound } from "../../protocol/errors.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { newId } from "../../server/tokens.ts";
import { avatarFor } from "../accounts/avatars.ts";
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
import { changeOwnPassword, signIn } from "./by-password.ts";
import * as contract from "./contract.ts";
import { selectExpired, selectSessions, sessionMigrations, touchSessions } from "./store.ts";
import { closeWarnings, warnByMail } from "./warning-mail.ts";

export const sessions: Feature = {
  name: "sessions",
  migrations: sessionMigrations,
  authenticate,
  operations: [
    handle(contract.register, async ({ body, unit, request }) => {
      const { house } = unit;
      await needAdmission(unit, request.raw.headers, body);
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
        return openSession(write, person.id, request, "registration");
      });
      return withSession(house, { id: person.id }, token);
    }),

    handle(contract.login, async ({ body, unit, request }) => {
      const { userId, token } = await signIn(unit, body, request);
      return withSession(unit.house, { id: userId }, token);
    }),

    handle(contract.logout, async ({ caller, unit }) => {
      await endSessions(unit, caller.userId, (session) => session.id === caller.sessionId);
      return withoutSession(unit.house);
    }),

    handle(contract.changePassword, async ({ caller, body, unit }) => {
      const { before, token } = await changeOwnPassword(unit, caller, body);
      warnByMail(unit.house, before, "passwordChanged");
      return withSession(unit.house, undefined, token);
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
  close: closeWarnings,
  jobs: [
    { name: "write down when sessions were used", everyMs: 60_000, isEverywhere: true, run: writeLastUses },
    { name: "end expired sessions", everyMs: 300_000, deletesByAge: true, run: endExpired },
  ],
};

async function writeLastUses(house: House): Promise<boolean> {
  const waiting = lastUses(house);
  const uses = Array.from(waiting, ([id, at]) => ({ id, at }));
  for (let i = 0; i < uses.length; i += 500) {
    const piece = uses.slice(i, i + 500);
    await house.write((unit) => touchSessions(unit.db, piece));
    // Uses that could not be written, and sessions used again meanwhile, stay for the next run.
    for (const { id, at } of piece) if (waiting.get(id) === at) waiting.delete(id);
  }
  return false;
}

/** Expired sessions deleted per commit. */
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
