// Slows down password guessing: after five failures in a quarter of an hour further attempts have to wait.
import { Refusal } from "../../protocol/errors.ts";
import type { House } from "../../server/house/house.ts";
import type { Soon } from "../../server/house/known.ts";
import { shortLived } from "../../server/house/short-lived.ts";
import { tokenHash } from "../../server/tokens.ts";
import { fold } from "../accounts/access.ts";

interface Failures {
  count: number;
  since: number;
  /** The time until which further attempts are rejected. */
  until: number;
}

const windowMs = 15 * 60_000;
const free = 5;
const waitsMs = [60_000, 300_000] as const;

/** By the hash of the name or account: some people type their password into the name field. */
const failures = shortLived<Failures>({ name: "failed logins", keptMs: windowMs, most: 20_000 });

/**
 * Counts an attempt as failed until it succeeds, so that concurrent attempts cannot exceed the limit together. Throws
 * rate_limited while this name or account has to wait, and logs that with the id which `findWhose` returns.
 */
export async function beginTry(
  house: House,
  key: string,
  findWhose: () => Soon<string | undefined>,
): Promise<void> {
  if (!house.config.rateLimits) return;
  try {
    await failures(house).change(tokenHash(key), oneMore);
  } catch (error) {
    if (error instanceof Refusal) {
      const userId = await findWhose();
      house.log.info({ user_id: userId ?? null }, "a try of a password has to wait: too many failed before");
    }
    throw error;
  }
}

export async function trySucceeded(house: House, key: string): Promise<void> {
  if (house.config.rateLimits) await failures(house).take(tokenHash(key));
}

/** Returns the failures plus one at this time, in milliseconds. Throws rate_limited while they have to wait. */
export function oneMore(known: Failures | undefined, now: number): Failures {
  if (known && known.until > now)
    throw new Refusal("rate_limited", "Too many failed logins. Wait before the next try.", {
      retryAfter: (known.until - now) / 1000,
    });
  const isOver = !known || now - known.since > windowMs;
  const { count, since } = isOver ? { count: 1, since: now } : { ...known, count: known.count + 1 };
  const waitMs = count < free ? 0 : count === free ? waitsMs[0] : waitsMs[1];
  return { count, since, until: now + waitMs };
}

/**
 * Logins are counted by the name as typed, whether an account has it or not: a shared count for the two names of an
 * account (username and e-mail address) would reveal to strangers that they belong together. So an account gets at most
 * twice the attempts, under both names.
 */
export function typed(name: string): string {
  return `name ${fold(name.trim())}`;
}

/** The key for a signed-in person's attempts at the current password. */
export function signedIn(userId: string): string {
  return `account ${userId}`;
}

/** Resets the counts of all names of an account after a password change. */
export async function forgetFailures(
  house: House,
  user: { id: string; username: string; email: string | null },
): Promise<void> {
  await trySucceeded(house, signedIn(user.id));
  await trySucceeded(house, typed(user.username));
  if (user.email !== null) await trySucceeded(house, typed(user.email));
}
