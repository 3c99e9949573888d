// Finds a picture: on the disk, where it is being fetched for others, or at its host.
import { createHash, randomBytes } from "node:crypto";
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { deadline } from "../../server/deadline.ts";
import { Cache } from "../../server/house/cache.ts";
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
import { rasterTypes } from "./raster.ts";

const mostAtOnce = 32;
/** So many of these places are for people without a fetch under way: nobody's silent hosts can take them all. */
const kept = 8;
/** Further places for people whose time is used up, one each, and for proven hosts alone. */
const mostApart = 4;
/** Good pictures that only come slowly would otherwise hold all places for nothing, again and again. */
const free = 0.1;
/** The most requests of one person that wait without a place: for a fetch under way, or for the first picture of a host. */
const mostWaiting = 8 * limits.pictures_at_once_max;
/** A host that gave no picture is left alone for so long. */
const failedMs = 60_000;
const mostFailures = 1000;
/** A disk that takes longer to read or to write a picture is not waited for. */
const inTime = deadline(1000, () => new Error("the disk is slow"));

interface Failure {
  until: number;
  refusal: Refusal;
}

class Pictures {
  readonly kept: DiskCache;
  readonly #house: House;
  readonly #closing = new AbortController();
  /** By key, until they are on the disk, or will not be soon. */
  readonly #underWay = new Map<string, Promise<FetchedPicture>>();
  readonly #failures = new Cache<Failure>(mostFailures);
  readonly #hosts = new Hosts();
  /** By host that gave no picture lately: whether the one fetch there is from it ended in silence. Never rejects. */
  readonly #firsts = new Map<string, Promise<boolean>>();
  /** By person: the requests that wait and hold no place. */
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
   * Throws rate_limited when the person, or all together, have too much fetched at this moment, or when too many of the
   * person's fetches have just failed and the host is not proven. A fetch counts for the person who asked first;
   * everybody else who asks for the same waits for its end, 32 requests of a person at most.
   */
  async find(userId: string, url: URL): Promise<Picture> {
    const key = createHash("sha256").update(url.href).digest("hex");
    const kept = await this.#onDisk(key);
    if (kept) return fromDisk(kept);
    const fetched = await this.#fetched(userId, key, url);
    // Its readers may be many and slow: sent from the disk, it takes no memory meanwhile.
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
   * A host that gave no picture lately is asked for one at a time: where it says nothing, those who waited are not charged,
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
      // The address may hold a secret of its host.
      this.#house.log.debug({ host: url.host, why: message }, "a picture could not be had");
      const refusal = asRefusal(error);
      this.#failures.put(key, { until: performance.now() + failedMs, refusal });
      throw refusal;
    }
  }
}

const picturesOf = perHouse("cache", (house) => new Pictures(house));

/** Throws invalid_request for a host that is not public, not_found when no picture can be had, or rate_limited. */
export function findPicture(house: House, userId: string, url: URL): Promise<Picture> {
  return picturesOf(house).find(userId, url);
}

/** Ends the fetches that are under way. */
export function stopFetching(house: House): void {
  picturesOf(house).close();
}

/** The bytes of all pictures that are kept on the disk. */
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

/** Of each process another one: nobody learns from a tag when a picture was first looked at. */
const tagSecret = randomBytes(16);

/** Two pictures of one address differ in when they were fetched. */
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

/** The person has as many under way as may be, which is fewer than usual for one whose pictures came late. */
function stillFetching(): Refusal {
  const sentence = "The pictures that you asked for last are still being fetched. Wait until one is there.";
  return new Refusal("rate_limited", sentence, { retryAfter: 1 });
}

function tooManyFailed(waitMs: number): Refusal {
  const sentence =
    "The pictures that you asked for last did not come in time. Wait before you ask for others.";
  return new Refusal("rate_limited", sentence, { retryAfter: Math.ceil(waitMs / 1000) });
}
