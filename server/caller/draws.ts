// The token buckets that one call draws from, and the rate limit headers of its answer.
import { Refusal } from "../../protocol/errors.ts";
import type { RateClass } from "../../protocol/operation.ts";
import { onceKnown, type Soon } from "../house/known.ts";
import type { Limiter, Taken } from "../limits/limiter.ts";
import { rateKey } from "./client-ip.ts";

export class Draws {
  readonly headers: Record<string, string> = {};
  readonly #limiter: Limiter | undefined;
  readonly #clientIp: () => string;
  #asStranger: Taken | undefined;

  /** Without a limiter nothing is counted (rate limits are off). */
  constructor(limiter: Limiter | undefined, clientIp: () => string) {
    this.#limiter = limiter;
    this.#clientIp = clientIp;
  }

  get clientKey(): string {
    return rateKey(this.#clientIp());
  }

  /** Throws rate_limited (429) when the bucket is empty. */
  take(rateClass: RateClass | "all", key: string): Soon<void> {
    if (this.#limiter) return onceKnown(this.#limiter.take(rateClass, key), (taken) => this.#note(taken));
  }

  /** Raises the cost of a call already drawn as one. Throws rate_limited; the call then still counts as one. */
  takeAll(userId: string, cost: number): Soon<void> {
    return this.countAs("all", userId, cost);
  }

  /** Like `takeAll`, for a call that drew from any bucket. */
  countAs(rateClass: RateClass | "all", key: string, cost: number): Soon<void> {
    if (this.#limiter)
      return onceKnown(this.#limiter.takeRest(rateClass, key, cost), (taken) => this.#note(taken));
  }

  /** Counts a call as so many more, or as all that are left: its answer turned out to be long, and is sent all the same. */
  async countMore(userId: string, calls: number): Promise<void> {
    // Calls without a person count by address.
    if (!this.#limiter || userId === "" || calls < 1) return;
    const taken = await this.#limiter.take("all", userId, calls);
    const left =
      taken.allowed || taken.remaining < 1
        ? taken
        : await this.#limiter.take("all", userId, Math.floor(taken.remaining));
    if (left.allowed) this.#note(left);
  }

  /** Counts a call by client address, before anything is read or looked up for a stranger. Throws rate_limited. */
  async takeAsStranger(): Promise<void> {
    if (!this.#limiter || this.#asStranger) return;
    const taken = await this.#limiter.take("strangers", this.clientKey);
    if (!taken.allowed) this.#note(taken);
    this.#asStranger = taken;
  }

  /** Returns the token to the bucket of strangers: the caller turned out to be known, or nothing was looked up. */
  wasNoStranger(): void {
    if (!this.#asStranger) return;
    this.#limiter?.giveBack("strangers", this.clientKey, this.#asStranger);
    this.#asStranger = undefined;
  }

  /** Writes the headers of the strangers' bucket, if the call was counted there. */
  noteStranger(): void {
    if (this.#asStranger) this.#note(this.#asStranger);
  }

  #note(taken: Taken): void {
    const { headers } = this;
    // With several buckets, the headers describe the emptiest one.
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
