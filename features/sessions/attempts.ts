// Slows down guessing at one account: after five failures in a quarter of an hour further tries wait.
import { Refusal } from "../../protocol/errors.ts";
import { perHouse } from "../../server/house.ts";

interface Failures {
  count: number;
  since: number;
  /** Until when further tries wait. */
  until: number;
}

const windowMs = 15 * 60_000;
const free = 5;
const waitsMs = [60_000, 300_000] as const;
const mostAccounts = 20_000;

export class LoginAttempts {
  readonly #failures = new Map<string, Failures>();

  /** Throws rate_limited while this account's tries wait. */
  check(account: string, now = Date.now()): void {
    const known = this.#failures.get(account);
    if (!known || known.until <= now) return;
    throw new Refusal("rate_limited", "Too many failed logins for this account. Wait before the next try.", {
      retryAfter: (known.until - now) / 1000,
    });
  }

  failed(account: string, now = Date.now()): void {
    let known = this.#failures.get(account);
    if (!known || now - known.since > windowMs) known = { count: 0, since: now, until: 0 };
    known.count++;
    if (known.count >= free) known.until = now + (known.count === free ? waitsMs[0] : waitsMs[1]);
    this.#failures.delete(account);
    this.#failures.set(account, known);
    if (this.#failures.size > mostAccounts) this.#failures.delete(this.#failures.keys().next().value ?? "");
  }

  succeeded(account: string): void {
    this.#failures.delete(account);
  }
}

export const attempts = perHouse(() => new LoginAttempts());
