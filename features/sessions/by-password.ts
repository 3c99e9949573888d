// Signing in by password, and changing it. Hashing is slow, so it happens before the transaction opens.
import { Refusal } from "../../protocol/errors.ts";
import type { Caller, RequestFacts } from "../../server/house/feature.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { newToken, tokenHash } from "../../server/tokens.ts";
import { lockUser, selectByLogin, selectUser, setPasswordHash } from "../accounts/access.ts";
import { endSessions, openSession, ownSession, passkeysReduced, passwordRehashed } from "./access.ts";
import { beginTry, signedIn, trySucceeded, typed } from "./attempts.ts";
import { updateTokenHash } from "./store.ts";

/** The columns of an account that concern passwords. */
interface Account {
  id: string;
  username: string;
  email: string | null;
  password_hash: string | null;
}

/** Returns the token of a new session. Throws invalid_credentials (401) if the name or password is wrong. */
export async function signIn(
  unit: UnitOfWork,
  given: { email: string; password: string },
  request: RequestFacts,
): Promise<{ userId: string; token: string }> {
  const { house } = unit;
  const name = typed(given.email);
  await beginTry(house, name, async () => (await selectByLogin(unit.db, given.email))?.id);
  const opened = await twice(async () => {
    const { user, isAsTyped } = await needCredentials(unit, given);
    const rehashed = isAsTyped ? await house.passwords.hash(given.password) : undefined;
    return unit.write(async (write) => {
      if (!(await isUnchanged(write, user))) return undefined;
      if (rehashed !== undefined) await rehash(write, user, rehashed);
      return { userId: user.id, token: await openSession(write, user.id, request, "password") };
    });
  });
  if (!opened) throw wrongCredentials();
  await trySucceeded(house, name);
  return opened;
}

/**
 * Changes the caller's password. Returns the previous row of the person, and the new token of their session. Throws
 * wrong_password (403) if the current password is wrong.
 */
export async function changeOwnPassword(
  unit: UnitOfWork,
  caller: Caller,
  given: { current_password: string; new_password: string; keep_passkeys?: string[] | undefined },
): Promise<{ before: Account; token: string }> {
  const changed = await twice(async () => {
    const before = await needPassword(unit, caller.userId, given.current_password);
    const hash = await unit.house.passwords.hash(given.new_password);
    return unit.write(async (write) => {
      if (!(await isUnchanged(write, before))) return undefined;
      await setPasswordHash(write, caller.userId, hash);
      write.log({ user_id: caller.userId }, "a password was changed");
      if (given.keep_passkeys) await write.ask(passkeysReduced, caller.userId, given.keep_passkeys);
      return { before, token: await renewOnly(write, caller) };
    });
  });
  if (!changed) throw wrongPassword();
  return changed;
}

/**
 * Runs `attempt` again if it returns undefined because the hash changed meanwhile. Mostly it is a new hash of the same
 * password, stored by a concurrent sign-in, which happens once. The second attempt decides.
 */
async function twice<T>(attempt: () => Promise<T | undefined>): Promise<T | undefined> {
  return (await attempt()) ?? attempt();
}

async function needCredentials(
  { house, db }: UnitOfWork,
  { email, password }: { email: string; password: string },
): Promise<{ user: Account; isAsTyped: boolean }> {
  const user = await selectByLogin(db, email);
  const verified = await house.passwords.verify(password, user?.password_hash ?? undefined);
  if (user && verified !== "wrong") return { user, isAsTyped: verified === "as typed" };
  // An unknown name is not logged: it may be a password that was typed into the wrong field.
  house.log.info({ user_id: user?.id ?? null }, "a sign-in by password failed");
  throw wrongCredentials();
}

async function needPassword({ house, db }: UnitOfWork, userId: string, given: string): Promise<Account> {
  const user = await selectUser(db, userId);
  await beginTry(house, signedIn(userId), () => userId);
  const verified = await house.passwords.verify(given, user?.password_hash ?? undefined);
  if (!user || verified === "wrong") {
    house.log.info({ user_id: userId }, "a change of the password failed: the current one was wrong");
    throw wrongPassword();
  }
  await trySucceeded(house, signedIn(userId));
  return user;
}

/** True if the hash that was verified without a lock is still that of the row, which is locked now. */
async function isUnchanged(write: UnitOfWork, checked: Account): Promise<boolean> {
  const now = await lockUser(write, checked.id);
  return now?.password_hash === checked.password_hash;
}

/** Stores a hash of the same password in the current format. */
async function rehash(write: UnitOfWork, user: Account, hash: string): Promise<void> {
  await setPasswordHash(write, user.id, hash);
  if (user.password_hash !== null) await write.ask(passwordRehashed, user.id, user.password_hash, hash);
}

/** Ends the caller's other sessions. Returns the new token of the remaining one. */
async function renewOnly(write: UnitOfWork, caller: Caller): Promise<string> {
  const current = await ownSession(write, caller);
  await endSessions(write, caller.userId, ({ id }) => id !== current.id);
  const token = newToken("hs_");
  await updateTokenHash(write.db, current.id, tokenHash(token));
  write.drop("sessions", current.token_hash);
  return token;
}

function wrongCredentials(): Refusal {
  return new Refusal("invalid_credentials", "The name or the password is wrong.");
}

function wrongPassword(): Refusal {
  return new Refusal("wrong_password", "The current password is wrong.");
}
