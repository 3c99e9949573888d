// What one call draws from the token buckets, and what its answer says of them.
import { Refusal } from "../../protocol/errors.ts";
import type { RateClass } from "../../protocol/operation.ts";
import type { Limiter, Taken } from "../limiter.ts";
import { rateKey } from "./client-ip.ts";

export class Draws {
  readonly headers: Record<string, string> = {};
  readonly #limiter: Limiter | undefined;
  readonly #clientIp: () => string;
  #asStranger: Taken | undefined;

  /** Without a limiter nothing is counted. */
  constructor(limiter: Limiter | undefined, clientIp: () => string) {
    this.#limiter = limiter;
    this.#clientIp = clientIp;
  }

  get clientKey(): string {
    return rateKey(this.#clientIp());
  }

  /** Throws rate_limited (429) when the bucket is empty. */
  take(rateClass: RateClass | "all", key: string): void {
    if (this.#limiter) this.#note(this.#limiter.take(rateClass, key));
  }

  /** Counts a call by its address, before anything is read or looked up for somebody unknown. Throws rate_limited. */
  takeAsStranger(): void {
    if (!this.#limiter || this.#asStranger) return;
    const taken = this.#limiter.take("strangers", this.clientKey);
    if (!taken.allowed) this.#note(taken);
    this.#asStranger = taken;
  }

  /** The caller is known after all, or nothing was looked up: strangers at the same address have the call back. */
  wasNoStranger(): void {
    if (!this.#asStranger) return;
    this.#limiter?.giveBack("strangers", this.clientKey);
    this.#asStranger = undefined;
  }

  /** Settles what the answer says: a call that did count as a stranger's says so. */
  settle(): void {
    if (this.#asStranger) this.#note(this.#asStranger);
  }

  #note(taken: Taken): void {
    const { headers } = this;
    // Of several buckets the one that is nearest to its end is told.
    if (taken.remaining <= Number(headers["X-RateLimit-Remaining"] ?? Number.POSITIVE_INFINITY)) {
      headers["X-RateLimit-Limit"] = String(taken.limit);
      headers["X-RateLimit-Remaining"] = String(taken.remaining);
      headers["X-RateLimit-Reset-After"] = taken.resetAfterS.toFixed(3);
    }
    if (!taken.allowed) {
      throw new Refusal("rate_limited", "Too many calls. Wait a moment.", { retryAfter: taken.resetAfterS });
    }
  }
}
