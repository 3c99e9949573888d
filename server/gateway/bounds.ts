// Rate limits of the gateway, by client address and by person. None applies with RATE_LIMITS=off.
import { rateKey } from "../caller/client-ip.ts";
import type { Limiter, Limits } from "../limits/limiter.ts";

/** The most open sockets of a person; one more ends their oldest. */
export const socketsMax = 50;

const rates = {
  // By address. A socket signs in once, so this bounds sign-ins as well. Many people may share an address, and
  // reconnect at the same moment.
  connections: { perSecond: 20, burst: 200 },
  // By person: each sign-in makes a READY. All sockets of a person may reconnect at the same moment.
  signIns: { perSecond: 2, burst: socketsMax + 10 },
  // By person, over all their sockets: at most 600 in any minute.
  frames: { perSecond: 5, burst: 300 },
};

/** Counts connections by client address, the rest by user id. Each `may…` resolves with false above its rate. */
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

  /** The most sockets of one person, at all processes together. */
  get sockets(): number {
    return this.#areOn ? socketsMax : Number.POSITIVE_INFINITY;
  }

  async #take(rateClass: keyof typeof rates, key: string): Promise<boolean> {
    return !this.#areOn || (await this.#limiter.take(rateClass, key)).allowed;
  }
}
