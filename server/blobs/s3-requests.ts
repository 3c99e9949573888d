// Signed requests to an S3-compatible service: each has a time limit, and is made once more when the service fails at once.
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import type { S3Settings } from "../config/config.ts";
import { faultIn, isLate, noAnswer, S3Fault } from "./s3-faults.ts";

/** For a request and its answer, in milliseconds. */
const answerMs = 4000;
const beforeAgainMs = 200;

/** The bytes of an object, and their SHA-256 in hex. */
export interface Body {
  bytes: Blob;
  sha256: string;
}

export interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** What it does, as in "refuses to list". */
  what: string;
  /** The object, by its whole name; without one the request is about the bucket. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Body;
  /** How long a try may take, in milliseconds. */
  withinMs?: number;
}

/** SHA-256 of nothing, in hex. */
const ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

export class S3Requests {
  readonly #signer: AwsClient;
  readonly #bucket: string;
  /** The folder in the bucket that S3_URL names, with a slash at its end; empty without one. */
  readonly folder: string;
  readonly host: string;

  constructor({ url, region, keyId, secret }: S3Settings) {
    const { origin, host, pathname } = new URL(url);
    const [, bucket = "", ...folders] = pathname.split("/");
    this.#bucket = `${origin}/${bucket}`;
    this.folder = folders.map((folder) => `${decodeURIComponent(folder)}/`).join("");
    this.host = host;
    this.#signer = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: "s3", region });
  }

  /**
   * Returns what `read` makes of the answer, within the same time limit; undefined when there is no such object. Throws
   * S3Fault.
   */
  async send<T>(request: S3Request, read: (answer: Response) => T | Promise<T>): Promise<T | undefined> {
    try {
      return await this.#try(request, read);
    } catch (error) {
      if (!(error instanceof S3Fault) || !error.isAway || isLate(error.cause)) throw error;
    }
    await sleep(beforeAgainMs);
    return this.#try(request, read);
  }

  async #try<T>(request: S3Request, read: (answer: Response) => T | Promise<T>): Promise<T | undefined> {
    const signal = AbortSignal.timeout(request.withinMs ?? answerMs);
    try {
      const answer = await this.#fetch(request, signal);
      if (answer.ok) return await read(answer);
      const fault = await faultIn(answer, this.host, request.what);
      if (request.key !== undefined && answer.status === 404 && fault.code !== "NoSuchBucket")
        return undefined;
      throw fault;
    } catch (error) {
      throw error instanceof S3Fault ? error : noAnswer(error, this.host);
    }
  }

  async #fetch({ method, key, query, headers, body }: S3Request, signal: AbortSignal): Promise<Response> {
    const path = key === undefined ? "" : `/${key}`.split("/").map(encodeURIComponent).join("/");
    const url = `${this.#bucket}${path}${query ? `?${new URLSearchParams(query)}` : ""}`;
    // The store refuses bytes that have another checksum than the one that is signed.
    const checked = { ...headers, "X-Amz-Content-Sha256": body?.sha256 ?? ofNothing };
    const signed = await this.#signer.sign(url, { method, headers: checked });
    const given = { method, headers: signed.headers, redirect: "manual", signal } as const;
    if (!body) return fetch(signed.url, given);
    signed.headers.set("Content-Length", String(body.bytes.size));
    // As a stream: given the blob itself, the runtime would take all of it into memory where it is sent by TLS.
    return fetch(signed.url, { ...given, body: body.bytes.stream(), duplex: "half" });
  }
}
