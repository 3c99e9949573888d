// Token buckets that several processes draw from: each holds a few tokens of those it was asked for of late.
import type { Rate } from "../config/settings.ts";
import type { Limiter, Taken } from "./limiter.ts";
import { MemoryLimiter } from "./memory.ts";

/** What was drawn from a bucket, and what is left in it. */
export interface Drawn {
  granted: number;
  left: number;
}

/** Where the buckets lie. */
export interface Buckets {
  /** Draws so many tokens, and a few more where many are left. Rejects when it cannot be said. */
  draw(name: string, rate: Rate, wanted: number): Promise<Drawn>;
  /** Puts tokens back; nothing is heard of it. */
  putBack(name: string, rate: Rate, tokens: number): void;
}

interface Held {
  rate: Rate;
  tokens: number;
  /** What was left in the bucket when it was last drawn from. */
  left: number;
  usedAt: number;
  /** Until then an empty bucket has nothing for anybody. */
  emptyUntil: number;
  waiting: ((taken: Taken | undefined) => void)[];
}

/** Tokens that nobody asked for so long, in milliseconds, are put back. */
const idleMs = 1000;
const mostHeld = 50_000;

/** Where the buckets cannot be reached, each process goes by buckets of its own. */
export class SharedLimiter implements Limiter {
  readonly #name: string;
  readonly #rates: Record<string, Rate>;
  readonly #buckets: Buckets;
  readonly #own: MemoryLimiter;
  /** By the bucket's name; used last comes last. */
  readonly #held = new Map<string, Held>();

  constructor(name: string, rates: Record<string, Rate>, buckets: Buckets) {
    this.#name = name;
    this.#rates = rates;
    this.#buckets = buckets;
    this.#own = new MemoryLimiter(rates);
  }

  take(rateClass: string, key: string): Taken | Promise<Taken> {
    const name = `${this.#name} ${rateClass} ${key}`;
    const held = this.#heldOf(name, rateClass);
    const now = performance.now();
    held.usedAt = now;
    if (held.waiting.length === 0 && held.tokens >= 1) return granted(held);
    if (now < held.emptyUntil) return refused(held, now);
    return new Promise((resolve) => {
      held.waiting.push((taken) => resolve(taken ?? this.#own.take(rateClass, key)));
      if (held.waiting.length === 1) void this.#draw(name, held);
    });
  }

  giveBack(rateClass: string, key: string): void {
    const held = this.#held.get(`${this.#name} ${rateClass} ${key}`);
    if (held) held.tokens = Math.min(held.rate.burst, held.tokens + 1);
    this.#own.giveBack(rateClass, key);
  }

  /** Puts back what is held for keys that nobody asks for. */
  sweep(): void {
    const now = performance.now();
    for (const [name, held] of this.#held) {
      if (now - held.usedAt < idleMs) return;
      this.#drop(name, held);
    }
  }

  #heldOf(name: string, rateClass: string): Held {
    const known = this.#held.get(name);
    if (known) {
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
    const held: Held = { rate, tokens: 0, left: 0, usedAt: 0, emptyUntil: 0, waiting: [] };
    this.#held.set(name, held);
    return held;
  }

  #drop(name: string, held: Held): void {
    this.#held.delete(name);
    if (held.tokens >= 1) this.#buckets.putBack(name, held.rate, Math.floor(held.tokens));
  }

  /** Draws for all that wait, until each has its answer. */
  async #draw(name: string, held: Held): Promise<void> {
    while (held.waiting.length > 0) {
      const wanted = held.waiting.length;
      const drawn = await this.#buckets.draw(name, held.rate, wanted).catch(() => undefined);
      if (!drawn) {
        for (const answer of held.waiting.splice(0)) answer(undefined);
        return;
      }
      held.tokens += drawn.granted;
      held.left = drawn.left;
      const now = performance.now();
      if (drawn.granted < wanted) held.emptyUntil = now + ((1 - drawn.left) / held.rate.perSecond) * 1000;
      for (const answer of held.waiting.splice(0, wanted))
        answer(held.tokens >= 1 ? granted(held) : refused(held, now));
    }
  }
}

function granted(held: Held): Taken {
  held.tokens -= 1;
  const { burst, perSecond } = held.rate;
  const remaining = Math.min(burst, held.tokens + held.left);
  return {
    allowed: true,
    limit: burst,
    remaining: Math.floor(remaining),
    resetAfterS: (burst - remaining) / perSecond,
  };
}

function refused(held: Held, now: number): Taken {
  const resetAfterS = Math.max(0.001, (held.emptyUntil - now) / 1000);
  return { allowed: false, limit: held.rate.burst, remaining: 0, resetAfterS };
}
