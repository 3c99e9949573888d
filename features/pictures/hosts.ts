// Remembers which hosts gave pictures lately, and which only kept people waiting.
import { Cache } from "../../server/house/cache.ts";

/** The hosts that were heard of longest ago are forgotten first. */
const mostHosts = 1000;
/** A picture makes its host a giving or a proven one for so long. */
const knownMs = 3600_000;
/** A silent host is left alone for so long. */
const silentMs = 60_000;
/** How often in a row a host that gives pictures may be silent: one slow address does not hide all its pictures. */
const mostSilences = 3;
/**
 * A host counts as silent for everybody once so many people have found it silent, with no picture for anybody in between.
 * One account that asks for slow addresses on purpose thus takes no pictures from others.
 */
const mostWitnesses = 3;

/** What one person's requests found. */
interface Silences {
  count: number;
  /** The host is left alone for this person until then. */
  until: number;
}

interface Known {
  givesUntil: number;
  provenUntil: number;
  silentUntil: number;
  /** By person, since its last picture: of fewer than `mostWitnesses` people. */
  silences: ReadonlyMap<string, Silences>;
}

const unknown: Known = { givesUntil: 0, provenUntil: 0, silentUntil: 0, silences: new Map() };

export class Hosts {
  readonly #known = new Cache<Known>(mostHosts);

  /** Whether it gave a picture within the last hour, however late. */
  gives(host: string, now = performance.now()): boolean {
    return now < this.#of(host).givesUntil;
  }

  /** Whether it gave one in time. */
  isProven(host: string, now = performance.now()): boolean {
    return now < this.#of(host).provenUntil;
  }

  /** Whether this person's requests leave it alone. */
  isSilent(host: string, userId: string, now = performance.now()): boolean {
    const { silentUntil, silences } = this.#of(host);
    return now < Math.max(silentUntil, silences.get(userId)?.until ?? 0);
  }

  /** It gave a picture; a late one neither proves the host nor takes a proof away. */
  gave(host: string, isLate: boolean, now = performance.now()): void {
    const until = now + knownMs;
    const provenUntil = isLate ? this.#of(host).provenUntil : until;
    this.#put(host, { ...unknown, givesUntil: until, provenUntil });
  }

  /** It gave nothing to this person, and took its time for that. */
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
