// What one address and one person may ask of the gateway. Nothing of it holds with RATE_LIMITS=off.
import { rateKey } from "../caller/client-ip.ts";
import type { Limiter, Limits } from "../limits/limiter.ts";

/** Sockets that a person may have open; one more ends their oldest. */
export const socketsMax = 50;

const rates = {
  // By address. A socket signs in once, so this bounds sign-ins as well. Many people may share an address, and come
  // back at the same moment.
  connections: { perSecond: 20, burst: 200 },
  // By person: each sign-in makes a READY. All sockets of a person may come back at the same moment.
  signIns: { perSecond: 2, burst: socketsMax + 10 },
  // By person, over all their sockets: at most 600 in any minute.
  frames: { perSecond: 5, burst: 300 },
};

/** Counts connections by client address, sign-ins and frames by user id. Each `may…` resolves with false above its rate. */
export class Bounds {
  readonly #limiter: Limiter;
  readonly #areOn: boolean;

  constructor(limits: Limits, areOn: boolean) {
    this.#limiter = limits.of("gateway", rates);
    this.#areOn = areOn;
  }

  mayConnect(address: string): Promise<boolean> {
    return this.#take("connections", rateKey(address));
  }

  maySignIn(userId: string): Promise<boolean> {
    return this.#take("signIns", userId);
  }

  maySay(userId: string): Promise<boolean> {
    return this.#take("frames", userId);
  }

  /** How many sockets one person may have, at all processes together. */
  get sockets(): number {
    return this.#areOn ? socketsMax : Number.POSITIVE_INFINITY;
  }

  async #take(rateClass: keyof typeof rates, key: string): Promise<boolean> {
    return !this.#areOn || (await this.#limiter.take(rateClass, key)).allowed;
  }
}
