// Uploads as objects in a bucket: read in pieces, written with their checksum, listed.
import { createHash } from "node:crypto";
import { textOf } from "../ask-by-http.ts";
import { Cache } from "../cache.ts";
import type { S3Settings } from "../config/config.ts";
import { Late } from "../in-time.ts";
import type { Answer } from "../wire/answer.ts";
import { type KeptBlob, type KeptBlobs, type StoredBlob, WrongBytes } from "./blobs.ts";
import { isLate, noAnswer, S3Fault } from "./s3-faults.ts";
import { type Listed, listed } from "./s3-list.ts";
import { pieceSumsOf, piecesRead } from "./s3-reading.ts";
import { type Body, type S3Request, S3Requests } from "./s3-requests.ts";

/** Bytes that have usually been sent before a store can refuse them. */
const shortBytes = 64 * 1024;
const checksumHeader = "x-amz-meta-sha256";
const pieceSumsHeader = "x-amz-meta-piece-sums";
const ownerHeader = "x-amz-meta-hearth";

/** A small object that is written to test whether the bucket accepts writes. */
const trialName = "hearth.trial";
/** An object that does not exist: deleting it tests whether deletes are allowed. */
const noName = "hearth.none";

/** The longest answer to a list request, in bytes: a page of a thousand names, each with all its metadata. */
const longestList = 4 * 1024 * 1024;
/** The longest list of a single entry, in bytes, with the longest possible name. */
const longestListOfOne = 64 * 1024;

/** Time limits, in milliseconds. */
export interface Clocks {
  /** For a request and its answer. */
  answerMs: number;
  /** For sending an object, beside the time that its bytes take on a slow line. */
  sendMs: number;
}

const usualClocks: Clocks = { answerMs: 4000, sendMs: 15_000 };
const slowestBytesPerMs = 256;

/** The most objects whose checksums are computed, rather than noted with them; each takes up to 800 bytes. */
const mostComputed = 1000;

/** The objects of a bucket. All methods throw S3Fault, as do the streams of `bytes`. */
export class S3Objects implements KeptBlobs {
  readonly #requests: S3Requests;

  readonly #clocks: Clocks;

  /** The checksums of the pieces of objects that were written without them. */
  readonly #computedSums = new Cache<string>(mostComputed);

  constructor(settings: S3Settings, clocks = usualClocks) {
    this.#requests = new S3Requests(settings, clocks.answerMs);
    this.#clocks = clocks;
  }

  /** With `distrust`, the bytes are verified with the stored checksums; it is called when they differ. */
  async find(name: string, distrust?: () => void): Promise<StoredBlob | null> {
    const headers = await this.#headersOf(name);
    if (headers) {
      const size = Number(headers.get("content-length") ?? Number.NaN);
      if (!Number.isSafeInteger(size))
        throw new S3Fault(`the S3 store at ${this.#requests.host} does not say how long ${name} is`);
      const sha256 = headers.get(checksumHeader) ?? undefined;
      const owner = headers.get(ownerHeader) ?? undefined;
      const noted = distrust && { sha256, pieceSums: headers.get(pieceSumsHeader) ?? undefined };
      const wrong = () => {
        distrust?.();
        return new WrongBytes(
          `the S3 store at ${this.#requests.host} gives other bytes of ${name} than it took`,
        );
      };
      const get = (first: number, last: number) => this.#piece(name, first, last);
      const object = { size, ...noted, get, wrong };
      const computedSums = () => this.#computedSums.get(name, () => pieceSumsOf(object));
      const bytes = (first = 0, last = size - 1) => piecesRead({ first, last, ...object, computedSums });
      return { size, sha256, owner, bytes };
    }
    // When the bucket is gone, "no such file" would be a wrong answer: `look` throws instead.
    await this.look();
    return null;
  }

  /** Each page begins after the last name of the one before: no state is held in between, however long that takes. */
  async *all(): AsyncGenerator<KeptBlob> {
    let after = "";
    for (;;) {
      const { blobs, isCut } = await this.#list(after === "" ? {} : { "start-after": this.#key(after) });
      yield* blobs;
      const last = blobs.at(-1)?.name;
      if (!isCut || last === undefined || last === after) return;
      after = last;
    }
  }

  /** Once this resolves, the store has the bytes, and has verified their checksum. */
  async put(name: string, body: Body, owner?: string): Promise<void> {
    const headers = {
      [checksumHeader]: body.sha256,
      ...(body.pieceSums && { [pieceSumsHeader]: body.pieceSums }),
      ...(owner && { [ownerHeader]: owner }),
    };
    const withinMs = this.#clocks.sendMs + body.bytes.size / slowestBytesPerMs;
    try {
      await this.#mustDo({ method: "PUT", what: "write", key: this.#key(name), body, headers, withinMs });
    } catch (error) {
      throw await this.#reasonOf(error, body.bytes.size);
    }
  }

  /**
   * Finds the reason of a failed upload. A store that refuses a long upload closes the connection while bytes are being
   * sent, and its answer may be lost; a short trial upload gets the answer.
   */
  async #reasonOf(error: unknown, length: number): Promise<unknown> {
    const isUnanswered = error instanceof S3Fault && error.isAway && error.cause && !isLate(error.cause);
    if (!isUnanswered || length <= shortBytes) return error;
    try {
      await this.tryAll();
    } catch (reason) {
      return reason;
    }
    const { host } = this.#requests;
    return new S3Fault(`the S3 store at ${host}, or a proxy before it, takes no uploads of ${length} bytes`);
  }

  /** Does nothing when the object does not exist. */
  async remove(name: string): Promise<void> {
    await this.#requests.send({ method: "DELETE", what: "delete", key: this.#key(name) });
  }

  /** The owner that was stored with the object, if any; undefined when the object does not exist. */
  async ownerOf(name: string): Promise<string | undefined> {
    return (await this.#headersOf(name))?.get(ownerHeader) ?? undefined;
  }

  /** Throws unless the bucket exists and the key opens it. */
  async look(): Promise<void> {
    // Only that there is an answer counts: /readyz checks this for any caller.
    await this.#askForList({ "max-keys": "1" }, longestListOfOne);
  }

  /** Throws unless the key may list, read, write and delete. */
  async tryAll(): Promise<void> {
    await this.look();
    const bytes = "does the store take this?";
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await this.put(trialName, { bytes: new Blob([bytes]), sha256 });
    await this.#piece(trialName, 0, 0);
    await this.tryRemoving();
  }

  /** Throws unless the key may delete objects. */
  async tryRemoving(): Promise<void> {
    await this.remove(noName);
  }

  /** The fault of a store that does not answer in time. */
  silence(): S3Fault {
    return noAnswer(new Late(), this.#requests.host);
  }

  #key(name: string): string {
    return this.#requests.folder + name;
  }

  async #headersOf(name: string): Promise<Answer["headers"] | undefined> {
    const answer = await this.#requests.send({ method: "HEAD", what: "read", key: this.#key(name) });
    return answer?.headers;
  }

  async #piece(name: string, first: number, last: number): Promise<Uint8Array> {
    const headers = { Range: `bytes=${first}-${last}` };
    const length = last - first + 1;
    const { body: piece } = await this.#mustDo({
      ...{ method: "GET", what: "read", key: this.#key(name), headers, bodyMax: length },
    });
    if (piece.length === length) return piece;
    throw new S3Fault(`the S3 store at ${this.#requests.host} sends other bytes than it was asked for`);
  }

  async #list(query: Record<string, string>): Promise<Listed> {
    const found = listed(textOf(await this.#askForList(query, longestList)), this.#requests.folder);
    if (found) return found;
    throw new S3Fault(`the S3 store at ${this.#requests.host} sends a list that cannot be read`);
  }

  #askForList(query: Record<string, string>, bodyMax: number): Promise<Answer> {
    const { folder } = this.#requests;
    const all = { "list-type": "2", ...(folder && { prefix: folder }), ...query };
    return this.#mustDo({ method: "GET", what: "list", query: all, bodyMax });
  }

  /** For requests after which a missing object is the store's fault. */
  async #mustDo(request: S3Request): Promise<Answer> {
    const answer = await this.#requests.send(request);
    if (answer) return answer;
    throw new S3Fault(`the S3 store at ${this.#requests.host} has lost ${request.key}`);
  }
}
