// Token buckets in memory: a rate per second and a burst, for each key of a class. The number of keys is bounded.
import type { Rate } from "../config/rate.ts";
import type { Limiter, Taken } from "./limiter.ts";

interface Bucket {
  tokens: number;
  at: number;
}

const mostKeys = 50_000;
/** Buckets checked when room is needed for a new one. */
const mostLooks = 20;

export class MemoryLimiter implements Limiter {
  readonly #rates: Record<string, Rate>;
  readonly #buckets = new Map<string, Bucket>();
  /** An iterator that cycles through the buckets. */
  #hand = this.#buckets.entries();

  constructor(rates: Record<string, Rate>) {
    this.#rates = rates;
  }

  take(rateClass: string, key: string, wanted = 1, now = performance.now()): Taken {
    const { rate, bucket } = this.#bucketAt(now, rateClass, key);
    const whole = Math.min(wanted, rate.burst);
    return taken(rate, bucket, whole, whole);
  }

  takeRest(rateClass: string, key: string, wanted: number, now = performance.now()): Taken {
    const { rate, bucket } = this.#bucketAt(now, rateClass, key);
    const whole = Math.min(wanted, rate.burst);
    return taken(rate, bucket, whole, whole - 1);
  }

  giveBack(rateClass: string, key: string): void {
    const rate = this.#rates[rateClass];
    const bucket = this.#buckets.get(`${rateClass} ${key}`);
    if (rate && bucket) bucket.tokens = Math.min(rate.burst, bucket.tokens + 1);
  }

  #bucketAt(now: number, rateClass: string, key: string): { rate: Rate; bucket: Bucket } {
    const rate = this.#rates[rateClass];
    if (!rate) throw new Error(`no rate is set for ${rateClass}`);
    const name = `${rateClass} ${key}`;
    let bucket = this.#buckets.get(name);
    if (!bucket) {
      if (this.#buckets.size >= mostKeys) this.#makeRoom(now);
      bucket = { tokens: rate.burst, at: now };
      this.#buckets.set(name, bucket);
    }
    bucket.tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond);
    bucket.at = now;
    return { rate, bucket };
  }

  // Drops a bucket that is full again, which a new one would equal. If none of those checked is full, another is
  // dropped.
  #makeRoom(now: number): void {
    for (let looks = 1; looks <= mostLooks; looks++) {
      const [name, bucket] = this.#nextBucket();
      const rate = this.#rates[name.slice(0, name.indexOf(" "))];
      const isFull = rate && bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond >= rate.burst;
      if (!isFull && looks < mostLooks) continue;
      this.#buckets.delete(name);
      return;
    }
  }

  #nextBucket(): [string, Bucket] {
    let next = this.#hand.next();
    if (next.done) {
      this.#hand = this.#buckets.entries();
      next = this.#hand.next();
    }
    return next.value!;
  }
}

/** Takes the `missing` part of a call's cost, if it is there. A refused call has to take the whole cost next time. */
function taken(rate: Rate, bucket: Bucket, whole: number, missing: number): Taken {
  const allowed = bucket.tokens >= missing;
  if (allowed) bucket.tokens -= missing;
  return {
    allowed,
    limit: rate.burst,
    remaining: Math.floor(bucket.tokens),
    resetAfterS: (allowed ? rate.burst - bucket.tokens : whole - bucket.tokens) / rate.perSecond,
  };
}
