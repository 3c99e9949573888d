// Uploads as objects in a bucket: read in pieces, written with their checksum, listed.
import { createHash } from "node:crypto";
import type { S3Settings } from "../config/config.ts";
import { type KeptBlob, type KeptBlobs, longestPiece, type StoredBlob } from "./blobs.ts";
import { S3Fault } from "./s3-faults.ts";
import { type Body, type S3Request, S3Requests } from "./s3-requests.ts";

const checksumHeader = "x-amz-meta-sha256";
const ownerHeader = "x-amz-meta-hearth";

/** A small object that is written to see whether the bucket takes any. */
const trialName = "hearth.trial";
/** Deleted to see whether that is allowed; there is none. */
const noName = "hearth.none";

/** How long an object may take to be sent, in milliseconds: this, and as long as a slow line needs for its bytes. */
const sendMs = 15_000;
const slowestBytesPerMs = 256;

/** What stands in a bucket. All methods throw S3Fault, as do the streams of `bytes`. */
export class S3Objects implements KeptBlobs {
  readonly #requests: S3Requests;

  constructor(settings: S3Settings) {
    this.#requests = new S3Requests(settings);
  }

  async find(name: string): Promise<StoredBlob | null> {
    const headers = await this.#headersOf(name);
    if (headers) {
      const size = Number(headers.get("content-length"));
      const sha256 = headers.get(checksumHeader) ?? undefined;
      return { size, sha256, bytes: (first = 0, last = size - 1) => this.#bytes(name, first, last) };
    }
    // When the bucket is gone, "no such file" would be a wrong answer: `look` throws instead.
    await this.look();
    return null;
  }

  /** Each page begins after the last name of the one before: in between nothing is held, however long that is. */
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

  /** Once this resolves, the store has the bytes, and has compared their checksum. */
  async put(name: string, body: Body, owner?: string): Promise<void> {
    const headers = { [checksumHeader]: body.sha256, ...(owner && { [ownerHeader]: owner }) };
    const withinMs = sendMs + body.bytes.size / slowestBytesPerMs;
    await this.#mustDo({ method: "PUT", what: "write", key: this.#key(name), body, headers, withinMs });
  }

  /** Does nothing when there is no such object. */
  async remove(name: string): Promise<void> {
    await this.#requests.send({ method: "DELETE", what: "delete", key: this.#key(name) }, () => {});
  }

  /** The owner that was given when it was put; undefined when there is no such object. */
  async ownerOf(name: string): Promise<string | undefined> {
    return (await this.#headersOf(name))?.get(ownerHeader) ?? undefined;
  }

  /** Throws unless the bucket is there and the key opens it. */
  async look(): Promise<void> {
    await this.#list({ "max-keys": "1" });
  }

  /** Throws unless all may be done that a store is for. */
  async tryAll(): Promise<void> {
    await this.look();
    const bytes = "does the store take this?";
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await this.put(trialName, { bytes: new Blob([bytes]), sha256 });
    await this.#piece(trialName, 0, 0);
    await this.remove(noName);
  }

  #key(name: string): string {
    return this.#requests.folder + name;
  }

  #headersOf(name: string): Promise<Headers | undefined> {
    return this.#requests.send(
      { method: "HEAD", what: "read", key: this.#key(name) },
      ({ headers }) => headers,
    );
  }

  /** A request a piece: a slow reader holds no connection to the store, and no more than one piece. */
  #bytes(name: string, first: number, last: number): ReadableStream<Uint8Array> {
    let at = first;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (sent) => {
          if (at > last) return sent.close();
          const piece = await this.#piece(name, at, Math.min(at + longestPiece - 1, last));
          at += piece.length;
          sent.enqueue(piece);
          if (at > last) sent.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #piece(name: string, first: number, last: number): Promise<Uint8Array> {
    const headers = { Range: `bytes=${first}-${last}` };
    const piece = await this.#mustDo(
      { method: "GET", what: "read", key: this.#key(name), headers },
      (answer) => answer.bytes(),
    );
    if (piece.length === last - first + 1) return piece;
    throw new S3Fault(`the S3 store at ${this.#requests.host} sends other bytes than it was asked for`);
  }

  async #list(query: Record<string, string>): Promise<{ blobs: KeptBlob[]; isCut: boolean }> {
    const { folder } = this.#requests;
    const all = { "list-type": "2", ...(folder && { prefix: folder }), ...query };
    const text = await this.#mustDo({ method: "GET", what: "list", query: all }, (answer) => answer.text());
    const blobs = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = ""]) => ({
      name: plain(valueIn(entry, "Key")).slice(folder.length),
      size: Number(valueIn(entry, "Size")),
      writtenAt: Date.parse(valueIn(entry, "LastModified")),
    }));
    return { blobs, isCut: valueIn(text, "IsTruncated") === "true" };
  }

  /** Where nothing can be missing but by a fault of the store. */
  async #mustDo<T>(request: S3Request, read: (answer: Response) => Promise<T>): Promise<T>;
  async #mustDo(request: S3Request): Promise<void>;
  async #mustDo<T>(request: S3Request, read?: (answer: Response) => Promise<T>): Promise<T | undefined> {
    const done = await this.#requests.send(request, async (answer) => ({ value: await read?.(answer) }));
    if (done) return done.value;
    throw new S3Fault(`the S3 store at ${this.#requests.host} has lost ${request.key}`);
  }
}

function valueIn(xml: string, element: string): string {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? "";
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A text of XML as it was before it was escaped. */
function plain(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
