// Finds a picture: on the disk, where it is being fetched for others, or at its host.
import { createHash, randomBytes } from "node:crypto";
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { deadline } from "../../server/deadline.ts";
import { Cache } from "../../server/house/cache.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { Bytes, Content } from "../../server/house/reply.ts";
import { NotPublic, notReachable } from "../../server/outbound/addresses.ts";
import { network } from "../../server/outbound/network.ts";
import { Queue, Queues } from "../../server/queue.ts";
import type { Picture } from "./answering.ts";
import { DiskCache, type KeptPicture } from "./disk-cache.ts";
import type { FetchedPicture } from "./fetching.ts";
import { picturesFolder } from "./folder.ts";
import { rasterTypes } from "./raster.ts";

const mostAtOnce = 32;
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
  readonly #inAll = new Queue({ atOnce: mostAtOnce, mostWaiting: 0, full: tooMany });
  readonly #byPerson = new Queues({
    atOnce: limits.pictures_at_once_max,
    mostWaiting: 0,
    full: tooManyOfOne,
  });

  constructor(house: House) {
    this.#house = house;
    const { config, log } = house;
    this.kept = new DiskCache(picturesFolder(config), { mostBytes: config.picturesBytes }, log);
  }

  /**
   * Throws rate_limited when the person, or all together, have too much fetched at this moment. A fetch counts for the
   * person who asked first; everybody else who asks for the same waits for its end.
   */
  async find(userId: string, url: URL): Promise<Picture> {
    const key = createHash("sha256").update(url.href).digest("hex");
    const kept = await this.#onDisk(key);
    if (kept) return fromDisk(kept);
    const failure = this.#failures.peek(key);
    if (failure && performance.now() < failure.until) throw failure.refusal;
    const fetch = () => this.#fetch(key, url);
    const fetched = await (this.#underWay.get(key) ??
      this.#byPerson.run(userId, () => this.#inAll.run(fetch)));
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

  #fetch(key: string, url: URL): Promise<FetchedPicture> {
    const fetching = this.#fetchAndKeep(key, url).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, fetching);
    return fetching;
  }

  async #fetchAndKeep(key: string, url: URL): Promise<FetchedPicture> {
    const picture = await this.#ask(key, url);
    await inTime(this.kept.keep(key, picture)).catch(() => {});
    return picture;
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
  return new Refusal("not_found", "No picture can be had from this address at the moment.");
}

function tooMany(): Refusal {
  const sentence = "Too many pictures are being fetched at the moment. Try again shortly.";
  return new Refusal("rate_limited", sentence, { retryAfter: 1 });
}

function tooManyOfOne(): Refusal {
  const sentence = `You are having ${limits.pictures_at_once_max} pictures fetched already. Wait until one is there.`;
  return new Refusal("rate_limited", sentence, { retryAfter: 1 });
}
