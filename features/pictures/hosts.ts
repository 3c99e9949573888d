// Remembers which hosts gave pictures lately, and which did not answer in time.
import { Cache } from "../../server/cache.ts";

/** Beyond this number the least recently seen hosts are forgotten. */
const mostHosts = 1000;
/** How long a host counts as giving or proven after a picture, in milliseconds. */
const knownMs = 3600_000;
/** How long a silent host is left alone, in milliseconds. */
const silentMs = 60_000;
/** The most consecutive timeouts of a giving host: one slow URL does not hide all its pictures. */
const mostSilences = 3;
/**
 * A host counts as silent for everybody once this many people have found it silent, with no picture for anybody in
 * between. A single account that requests slow URLs on purpose thus takes no pictures from others.
 */
const mostWitnesses = 3;

/** The timeouts of one person's requests. */
interface Silences {
  count: number;
  /** Until then the host is left alone for this person. */
  until: number;
}

interface Known {
  givesUntil: number;
  provenUntil: number;
  silentUntil: number;
  /** By person, since the host's last picture: fewer than `mostWitnesses` people. */
  silences: ReadonlyMap<string, Silences>;
}

const unknown: Known = { givesUntil: 0, provenUntil: 0, silentUntil: 0, silences: new Map() };

export class Hosts {
  readonly #known = new Cache<Known>(mostHosts);

  /** True if the host gave a picture within the last hour, even a late one. */
  gives(host: string, now = performance.now()): boolean {
    return now < this.#of(host).givesUntil;
  }

  /** True if the host gave a picture in time within the last hour. */
  isProven(host: string, now = performance.now()): boolean {
    return now < this.#of(host).provenUntil;
  }

  /** True if this person's requests to the host are suppressed. */
  isSilent(host: string, userId: string, now = performance.now()): boolean {
    const { silentUntil, silences } = this.#of(host);
    return now < Math.max(silentUntil, silences.get(userId)?.until ?? 0);
  }

  /** Records a picture; a late one neither proves the host nor revokes the proof. */
  gave(host: string, isLate: boolean, now = performance.now()): void {
    const until = now + knownMs;
    const provenUntil = isLate ? this.#of(host).provenUntil : until;
    this.#put(host, { ...unknown, givesUntil: until, provenUntil });
  }

  /** Records that a request of this person timed out without a picture. */
  wasSilent(host: string, userId: string, now = performance.now()): void {
    const known = this.#of(host);
    const count = (known.silences.get(userId)?.count ?? 0) + 1;
    const isLeftAlone = now >= known.givesUntil || count >= mostSilences;
    const silences = new Map(known.silences).set(userId, { count, until: isLeftAlone ? now + silentMs : 0 });
    if (silences.size < mostWitnesses) this.#put(host, { ...known, silences });
    else this.#put(host, { ...unknown, silentUntil: now + silentMs });
  }

  #of(host: string): Known {
    return this.#known.peek(host) ?? unknown;
  }

  #put(host: string, known: Known): void {
    this.#known.drop(host);
    this.#known.put(host, known);
  }
}
