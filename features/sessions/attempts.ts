// Slows down guessing at one account: after five failures in a quarter of an hour further tries wait.
import { Refusal } from "../../protocol/errors.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { fold } from "../accounts/access.ts";

interface Failures {
  count: number;
  since: number;
  /** Until when further tries wait. */
  until: number;
}

const windowMs = 15 * 60_000;
const free = 5;
const waitsMs = [60_000, 300_000] as const;
const mostCounted = 20_000;

export class LoginAttempts {
  readonly #failures = new Map<string, Failures>();

  /** Throws rate_limited while tries of this name or account have to wait. */
  check(key: string, now = performance.now()): void {
    const known = this.#failures.get(key);
    if (!known || known.until <= now) return;
    throw new Refusal("rate_limited", "Too many failed logins. Wait before the next try.", {
      retryAfter: (known.until - now) / 1000,
    });
  }

  failed(key: string, now = performance.now()): void {
    let known = this.#failures.get(key);
    if (!known || now - known.since > windowMs) known = { count: 0, since: now, until: 0 };
    known.count++;
    if (known.count >= free) known.until = now + (known.count === free ? waitsMs[0] : waitsMs[1]);
    this.#failures.delete(key);
    this.#failures.set(key, known);
    if (this.#failures.size > mostCounted) this.#failures.delete(this.#failures.keys().next().value ?? "");
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }
}

/**
 * Logins are counted by the name as typed, whether an account has it or not: a count shared by the two names of an
 * account (username and e-mail address) would tell strangers that they belong together. So an account has twice the
 * tries under both, and no more.
 */
export function typed(name: string): string {
  return `name ${fold(name.trim())}`;
}

/** The key of a signed-in person's tries at the current password. */
export function signedIn(userId: string): string {
  return `account ${userId}`;
}

export const attempts = perHouse("truth", () => new LoginAttempts());

/** After a password was changed, all names of the account may be tried again. */
export function forgetFailures(
  house: House,
  user: { id: string; username: string; email: string | null },
): void {
  attempts(house).succeeded(signedIn(user.id));
  attempts(house).succeeded(typed(user.username));
  if (user.email !== null) attempts(house).succeeded(typed(user.email));
}
