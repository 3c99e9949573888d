// What one address and one person may ask of the gateway. Nothing of it holds with RATE_LIMITS=off.
import { rateKey } from "../caller/client-ip.ts";
import { Limiter } from "../limiter.ts";

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

/** Counts connections by client address, sign-ins and frames by user id. Each `may…` returns false above its rate. */
export class Bounds {
  readonly #limiter = new Limiter(rates);
  readonly #areOn: boolean;

  constructor(areOn: boolean) {
    this.#areOn = areOn;
  }

  mayConnect(address: string): boolean {
    return this.#take("connections", rateKey(address));
  }

  maySignIn(userId: string): boolean {
    return this.#take("signIns", userId);
  }

  maySay(userId: string): boolean {
    return this.#take("frames", userId);
  }

  /** Returns the sockets above the limit; `sockets` are those of one person, oldest first. */
  tooMany<T>(sockets: ReadonlySet<T>): T[] {
    return this.#areOn ? [...sockets].slice(0, Math.max(0, sockets.size - socketsMax)) : [];
  }

  #take(rateClass: keyof typeof rates, key: string): boolean {
    return !this.#areOn || this.#limiter.take(rateClass, key).allowed;
  }
}
