// Finds a picture: on the disk, in a fetch under way for others, or at its host.
import { createHash, randomBytes } from "node:crypto";
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { rasterTypes } from "../../protocol/raster.ts";
import { Cache } from "../../server/cache.ts";
import { deadline } from "../../server/deadline.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { Bytes, Content } from "../../server/house/reply.ts";
import { NotPublic, notReachable } from "../../server/outbound/addresses.ts";
import { network, patienceOf } from "../../server/outbound/network.ts";
import { type Place, Places } from "../../server/outbound/places.ts";
import type { Picture } from "./answering.ts";
import { DiskCache, type KeptPicture } from "./disk-cache.ts";
import type { FetchedPicture } from "./fetching.ts";
import { picturesFolder } from "./folder.ts";
import { Hosts } from "./hosts.ts";

const mostAtOnce = 32;
/** How many of these slots are reserved for people without a running fetch, whatever silent hosts others use. */
const kept = 8;
/** Further slots for people who have used up their time, one each, and for proven hosts alone. */
const mostApart = 4;
/** The share of its time limit that a good fetch may take for free, so that slow hosts do not hold all slots. */
const free = 0.1;
/** The most requests of a person that wait without a slot: for another's fetch, or a host's first picture. */
const mostWaiting = 8 * limits.pictures_at_once_max;
/** How long a URL that gave no picture is left alone, in milliseconds. */
const failedMs = 60_000;
const mostFailures = 1000;
/** Disk reads and writes that take longer than this, in milliseconds, are not waited for. */
const inTime = deadline(1000, () => new Error("the disk is slow"));

interface Failure {
  until: number;
  refusal: Refusal;
}

class Pictures {
  readonly kept: DiskCache;
  readonly #house: House;
  readonly #closing = new AbortController();
  /** Running fetches by key, until the picture is on the disk, or will not be there soon. */
  readonly #underWay = new Map<string, Promise<FetchedPicture>>();
  readonly #failures = new Cache<Failure>(mostFailures);
  readonly #hosts = new Hosts();
  /** By host without a recent picture: resolves when its only fetch ends, to whether the host was silent. */
  readonly #firsts = new Map<string, Promise<boolean>>();
  /** By person: the number of waiting requests without a slot. */
  readonly #waiting = new Map<string, number>();
  readonly #places: Places;
  readonly #apart: Places;

  constructor(house: House) {
    this.#house = house;
    const { config, log } = house;
    const patience = () => patienceOf(network(house).current);
    const ofPerson = limits.pictures_at_once_max;
    this.#places = new Places({ all: mostAtOnce, kept, ofPerson, free, patience });
    this.#apart = new Places({ all: mostApart, kept: 0, ofPerson: 1, free, patience });
    this.kept = new DiskCache(picturesFolder(config), { mostBytes: config.picturesBytes }, log);
  }

  /**
   * Throws rate_limited if the person, or everybody together, has too many fetches running, or if too many of the
   * person's fetches have just failed and the host is not proven. A fetch counts for the person who asked first; others
   * who ask for the same wait for its end, with at most 32 requests per person.
   */
  async find(userId: string, url: URL): Promise<Picture> {
    const key = createHash("sha256").update(url.href).digest("hex");
    const kept = await this.#onDisk(key);
    if (kept) return fromDisk(kept);
    const fetched = await this.#fetched(userId, key, url);
    // Readers may be many and slow: sent from the disk, the picture takes no memory meanwhile.
    const written = await this.#onDisk(key);
    return written ? fromDisk(written) : fromMemory(fetched);
  }

  close(): void {
    this.#closing.abort();
    this.kept.close();
  }

  #onDisk(key: string): Promise<KeptPicture | undefined> {
    return inTime(this.kept.find(key)).catch(() => undefined);
  }

  /**
   * A host without a recent picture gets one request at a time: if it stays silent, those who waited are not charged,
   * and get 404 at once.
   */
  async #fetched(userId: string, key: string, url: URL): Promise<FetchedPicture> {
    const { host } = url;
    for (const until = performance.now() + patienceOf(network(this.#house).current); ; ) {
      const fetching = this.#underWay.get(key);
      if (fetching) return this.#waitFor(userId, fetching);
      const failure = this.#failures.peek(key);
      if (failure && performance.now() < failure.until) throw failure.refusal;
      if (this.#hosts.isSilent(host, userId)) throw noPicture();
      const first = this.#hosts.gives(host) ? undefined : this.#firsts.get(host);
      if (!first) return this.#fetch(key, url, this.#place(userId, host));
      if (performance.now() > until) throw tooMany();
      const wasSilent = await this.#waitFor(userId, first);
      if (wasSilent) throw noPicture();
    }
  }

  async #waitFor<T>(userId: string, end: Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(userId) ?? 0;
    if (waiting >= mostWaiting) throw tooMany();
    this.#waiting.set(userId, waiting + 1);
    try {
      return await end;
    } finally {
      const left = (this.#waiting.get(userId) ?? 1) - 1;
      if (left > 0) this.#waiting.set(userId, left);
      else this.#waiting.delete(userId);
    }
  }

  #place(userId: string, host: string): Place {
    const place = this.#places.take(userId, host);
    if (!("why" in place)) return place;
    if (place.why !== "person") throw tooMany();
    if (place.waitMs <= 0) throw stillFetching();
    const apart = this.#hosts.isProven(host) ? this.#apart.take(userId, host) : place;
    if ("why" in apart) throw tooManyFailed(place.waitMs);
    return apart;
  }

  #fetch(key: string, url: URL, place: Place): Promise<FetchedPicture> {
    const { host } = url;
    const isFirst = !this.#hosts.gives(host);
    const fetching = this.#fetchAndKeep(key, url, place);
    this.#underWay.set(key, fetching);
    const end = () => {
      this.#underWay.delete(key);
      if (isFirst) this.#firsts.delete(host);
      return this.#hosts.isSilent(host, place.userId);
    };
    const ended = fetching.then(end, end);
    if (isFirst) this.#firsts.set(host, ended);
    return fetching;
  }

  async #fetchAndKeep(key: string, url: URL, place: Place): Promise<FetchedPicture> {
    let picture: FetchedPicture | undefined;
    try {
      picture = await this.#ask(key, url);
    } finally {
      this.#giveBack(place, picture !== undefined);
    }
    await inTime(this.kept.keep(key, picture)).catch(() => {});
    return picture;
  }

  #giveBack(place: Place, isUseful: boolean): void {
    const isLate = this.#places.isLate(place);
    if (isUseful) this.#hosts.gave(place.host, isLate);
    if (!isUseful && isLate) this.#hosts.wasSilent(place.host, place.userId);
    for (const places of [this.#places, this.#apart]) places.giveBack(place, isUseful);
  }

  async #ask(key: string, url: URL): Promise<FetchedPicture> {
    try {
      const { fetchPicture } = await import("./fetching.ts");
      return await fetchPicture(network(this.#house).current, url, this.#closing.signal);
    } catch (error) {
      const { message } = error as Error;
      // The path of the URL may contain a secret, so only the host is logged.
      this.#house.log.debug({ host: url.host, why: message }, "a picture could not be had");
      const refusal = asRefusal(error);
      this.#failures.put(key, { until: performance.now() + failedMs, refusal });
      throw refusal;
    }
  }
}

const picturesOf = perHouse("cache", (house) => new Pictures(house));

/** Throws invalid_request for a host that is not public, not_found if no picture can be fetched, or rate_limited. */
export function findPicture(house: House, userId: string, url: URL): Promise<Picture> {
  return picturesOf(house).find(userId, url);
}

/** Aborts all running fetches. */
export function stopFetching(house: House): void {
  picturesOf(house).close();
}

/** Returns the total size of all pictures in the disk cache. */
export function picturesBytes(house: House): Promise<number> {
  return picturesOf(house).kept.bytes();
}

function fromDisk(picture: KeptPicture): Picture {
  const { format, size, blob } = picture;
  const bytes = (first: number, last: number) =>
    new Content(blob.slice(first, last + 1), rasterTypes[format]);
  return { etag: etagOf(picture), size, bytes };
}

function fromMemory(picture: FetchedPicture): Picture {
  const { format, bytes: whole } = picture;
  const bytes = (first: number, last: number) =>
    new Bytes(whole.subarray(first, last + 1), rasterTypes[format]);
  return { etag: etagOf(picture), size: whole.length, bytes };
}

/** Differs per process: nobody can tell from a tag when a picture was first viewed. */
const tagSecret = randomBytes(16);

/** Versions of the picture at one URL differ in their time of fetching. */
function etagOf({ fetchedAt, format }: Pick<FetchedPicture, "fetchedAt" | "format">): string {
  const hash = createHash("sha256").update(tagSecret).update(`${fetchedAt} ${format}`).digest("hex");
  return `"${hash.slice(0, 16)}"`;
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof NotPublic) return notReachable("url");
  return noPicture();
}

function noPicture(): Refusal {
  return new Refusal("not_found", "No picture can be had from this address at the moment.");
}

function tooMany(): Refusal {
  const sentence = "Too many pictures are being fetched at the moment. Try again shortly.";
  return new Refusal("rate_limited", sentence, { retryAfter: 1 });
}

/** The person has reached the limit of running fetches, which is lower for one whose pictures came late. */
function stillFetching(): Refusal {
  const sentence = "The pictures that you asked for last are still being fetched. Wait until one is there.";
  return new Refusal("rate_limited", sentence, { retryAfter: 1 });
}

function tooManyFailed(waitMs: number): Refusal {
  const sentence =
    "The pictures that you asked for last did not come in time. Wait before you ask for others.";
  return new Refusal("rate_limited", sentence, { retryAfter: Math.ceil(waitMs / 1000) });
}
