// Signed requests to an S3-compatible service: each has a time limit, and is retried once after an immediate failure.
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { askByHttp } from "../ask-by-http.ts";
import type { S3Settings } from "../config/config.ts";
import { type Answer, isOk } from "../wire/answer.ts";
import { KeptConnections } from "../wire/kept-connections.ts";
import { faultIn, isLate, longestFault, noAnswer, S3Fault } from "./s3-faults.ts";

const beforeAgainMs = 200;

/** The bytes of an object, their SHA-256 in hex, and the checksums of its pieces. */
export interface Body {
  bytes: Blob;
  sha256: string;
  pieceSums?: string;
}

export interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** The operation, as in "refuses to list". */
  what: string;
  /** The object's full name; without one the request is about the bucket. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Body;
  /** The most bytes of the answer's body; none is read when left out. */
  bodyMax?: number;
  /** Timeout of one try, in milliseconds. */
  withinMs?: number;
}

/** SHA-256 of an empty body, in hex. */
const ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export class S3Requests {
  readonly #signer: AwsClient;
  readonly #kept = new KeptConnections();
  readonly #bucket: string;
  /** The folder in the bucket that S3_URL names, with a trailing slash; empty without one. */
  readonly folder: string;
  readonly host: string;
  /** Default timeout of one try, in milliseconds, the answer included. */
  readonly #answerMs: number;

  constructor({ url, region, keyId, secret }: S3Settings, answerMs: number) {
    this.#answerMs = answerMs;
    const { origin, host, pathname } = new URL(url);
    const [, bucket = "", ...folders] = pathname.split("/");
    this.#bucket = `${origin}/${bucket}`;
    this.folder = folders.map((folder) => `${decodeURIComponent(folder)}/`).join("");
    this.host = host;
    this.#signer = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: "s3", region });
  }

  /** Returns the answer; undefined when the object does not exist. Throws S3Fault. */
  async send(request: S3Request): Promise<Answer | undefined> {
    try {
      return await this.#try(request);
    } catch (error) {
      if (!(error instanceof S3Fault) || !error.isAway || isLate(error.cause)) throw error;
    }
    await sleep(beforeAgainMs);
    return this.#try(request);
  }

  async #try(request: S3Request): Promise<Answer | undefined> {
    const answer = await this.#ask(request);
    if (isOk(answer)) return answer;
    const fault = faultIn(answer, this.host, request.what);
    if (request.key !== undefined && answer.status === 404 && fault.code !== "NoSuchBucket") return undefined;
    throw fault;
  }

  async #ask(request: S3Request): Promise<Answer> {
    const { method, key, query, headers, body, bodyMax = 0, withinMs = this.#answerMs } = request;
    const path = key === undefined ? "" : `/${key}`.split("/").map(encodeURIComponent).join("/");
    const url = `${this.#bucket}${path}${query ? `?${new URLSearchParams(query)}` : ""}`;
    // The store refuses bytes whose checksum is not the signed one.
    const checked = { ...headers, "X-Amz-Content-Sha256": body?.sha256 ?? ofNothing };
    const signed = await this.#signer.sign(url, { method, headers: checked });
    try {
      const answer = await askByHttp(signed.url, {
        ...{ method, headers: Object.fromEntries(signed.headers), withinMs, kept: this.#kept },
        ...(body && { body: body.bytes }),
        bodyMax: Math.max(bodyMax, longestFault),
        // One byte more than wanted shows that the answer is too long.
        mostBody: (head) => ({ first: isOk(head) ? bodyMax && bodyMax + 1 : longestFault }),
      });
      if (!isOk(answer) || answer.body.length <= bodyMax) return answer;
    } catch (error) {
      throw noAnswer(error, this.host);
    }
    throw new S3Fault(`the S3 store at ${this.host} sends more bytes than it was asked for`);
  }
}
