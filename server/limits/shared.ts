// Token buckets that several processes draw from: each process holds a few tokens of recently used buckets.
import type { Rate } from "../config/rate.ts";
import type { Limiter, Taken } from "./limiter.ts";
import { MemoryLimiter } from "./memory.ts";

/** The tokens drawn from a bucket, and those left in it. */
export interface Drawn {
  granted: number;
  left: number;
}

/** The shared store of the buckets. */
export interface Buckets {
  /** Draws `wanted` tokens, and a few more where many are left. Rejects when the store cannot be reached. */
  draw(name: string, rate: Rate, wanted: number): Promise<Drawn>;
  /** Puts tokens back, without waiting for the result. */
  putBack(name: string, rate: Rate, tokens: number): void;
}

interface Held {
  rate: Rate;
  tokens: number;
  /** Tokens left in the bucket when it was last drawn from. */
  left: number;
  usedAt: number;
  /** The time until which an empty bucket has no tokens, by performance.now(). */
  emptyUntil: number;
  waiting: Waiting[];
}

interface Cost {
  /** All tokens that the call counts as. */
  whole: number;
  /** The part of them that still has to be taken. */
  missing: number;
}

interface Waiting {
  cost: Cost;
  /** Called with undefined when the bucket cannot be reached. */
  answer(taken: Taken | undefined): void;
}

/** Unused tokens are put back after this long, in milliseconds. */
const idleMs = 1000;
const mostHeld = 50_000;

/** When the buckets cannot be reached, each process uses its own. */
export class SharedLimiter implements Limiter {
  readonly #name: string;
  readonly #rates: Record<string, Rate>;
  readonly #buckets: Buckets;
  readonly #own: MemoryLimiter;
  /** By the bucket's name, in order of use: the latest comes last. */
  readonly #held = new Map<string, Held>();

  constructor(name: string, rates: Record<string, Rate>, buckets: Buckets) {
    this.#name = name;
    this.#rates = rates;
    this.#buckets = buckets;
    this.#own = new MemoryLimiter(rates);
  }

  take(rateClass: string, key: string, wanted = 1): Taken | Promise<Taken> {
    const name = this.#nameOf(rateClass, key);
    const held = this.#heldOf(name, rateClass);
    const whole = Math.min(wanted, held.rate.burst);
    const apart = () => this.#own.take(rateClass, key, whole);
    return this.#take(name, held, { whole, missing: whole }, apart);
  }

  takeRest(rateClass: string, key: string, wanted: number): Taken | Promise<Taken> {
    const name = this.#nameOf(rateClass, key);
    const held = this.#heldOf(name, rateClass);
    const whole = Math.min(wanted, held.rate.burst);
    const apart = () => this.#own.takeRest(rateClass, key, whole);
    return this.#take(name, held, { whole, missing: whole - 1 }, apart);
  }

  giveBack(rateClass: string, key: string, { isApart }: Taken): void {
    if (isApart) {
      this.#own.giveBack(rateClass, key);
      return;
    }
    const held = this.#heldOf(this.#nameOf(rateClass, key), rateClass);
    held.tokens = Math.min(held.rate.burst, held.tokens + 1);
  }

  /** Puts back the tokens held for unused keys. */
  sweep(): void {
    const now = performance.now();
    for (const [name, held] of this.#held) {
      if (now - held.usedAt < idleMs) return;
      this.#drop(name, held);
    }
  }

  #nameOf(rateClass: string, key: string): string {
    return `${this.#name} ${rateClass} ${key}`;
  }

  #take(name: string, held: Held, cost: Cost, apart: () => Taken): Taken | Promise<Taken> {
    const now = performance.now();
    if (held.waiting.length === 0 && held.tokens >= cost.missing) return granted(held, cost);
    if (now < held.emptyUntil) return refused(held, cost, now);
    return new Promise((resolve) => {
      const answer = (taken: Taken | undefined) => resolve(taken ?? { ...apart(), isApart: true });
      held.waiting.push({ cost, answer });
      if (held.waiting.length === 1) void this.#draw(name, held);
    });
  }

  #heldOf(name: string, rateClass: string): Held {
    const known = this.#held.get(name);
    if (known) {
      known.usedAt = performance.now();
      this.#held.delete(name);
      this.#held.set(name, known);
      return known;
    }
    const rate = this.#rates[rateClass];
    if (!rate) throw new Error(`no rate is set for ${rateClass}`);
    for (const [oldest, held] of this.#held) {
      if (this.#held.size < mostHeld) break;
      this.#drop(oldest, held);
    }
    const usedAt = performance.now();
    const held: Held = { rate, tokens: 0, left: 0, usedAt, emptyUntil: 0, waiting: [] };
    this.#held.set(name, held);
    return held;
  }

  #drop(name: string, held: Held): void {
    this.#held.delete(name);
    if (held.tokens >= 1) this.#buckets.putBack(name, held.rate, Math.floor(held.tokens));
  }

  /** Draws the missing tokens for all waiting calls, until each has its answer. */
  async #draw(name: string, held: Held): Promise<void> {
    while (held.waiting.length > 0) {
      const { length } = held.waiting;
      const missing = held.waiting.reduce((sum, { cost }) => sum + cost.missing, -held.tokens);
      // Tokens may have been given back meanwhile.
      if (missing > 0) {
        const drawn = await this.#buckets.draw(name, held.rate, missing).catch(() => undefined);
        if (!drawn) {
          for (const { answer } of held.waiting.splice(0)) answer(undefined);
          return;
        }
        held.tokens += drawn.granted;
        held.left = drawn.left;
        if (drawn.granted < missing)
          held.emptyUntil = performance.now() + ((1 - drawn.left) / held.rate.perSecond) * 1000;
      }
      const now = performance.now();
      for (const { cost, answer } of held.waiting.splice(0, length))
        answer(held.tokens >= cost.missing ? granted(held, cost) : refused(held, cost, now));
    }
  }
}

function granted(held: Held, { missing }: Cost): Taken {
  held.tokens -= missing;
  const { burst, perSecond } = held.rate;
  const remaining = Math.min(burst, held.tokens + held.left);
  return {
    allowed: true,
    limit: burst,
    remaining: Math.floor(remaining),
    resetAfterS: (burst - remaining) / perSecond,
  };
}

function refused({ rate, tokens, emptyUntil }: Held, { whole }: Cost, now: number): Taken {
  // At `emptyUntil` the bucket has the first of the missing tokens.
  const missing = Math.max(0, whole - 1 - tokens);
  const resetAfterS = Math.max(0.001, (emptyUntil - now) / 1000) + missing / rate.perSecond;
  return { allowed: false, limit: rate.burst, remaining: Math.floor(tokens), resetAfterS };
}
