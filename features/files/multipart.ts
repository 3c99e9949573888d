// Reads the one file of a multipart form as it arrives, with at most one chunk of it in memory, and the fields beside it.
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { invalidField, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { deadline } from "../../server/deadline.ts";
import { turnAfter } from "../../server/whole-body.ts";
import { letGo } from "./releasing.ts";

/** Receives the file. An exception thrown by its methods ends the reading. */
interface FileTaker {
  /** Called with the file's name, before its content. */
  named(filename: string | undefined): void;
  /** Calls do not overlap. */
  take(bytes: Uint8Array): Promise<void>;
  /** Called with each field of the form, which may come before or after the file. */
  field?(name: string, value: string): void;
}

const slowest = 300_000;
/** Limits on everything in a form besides its file. */
const parts = {
  parts: 20,
  fields: 19,
  files: 1,
  fieldSize: 16 * 1024,
  headerPairs: 20,
  headerSize: 8 * 1024,
};
/** Bytes of a form besides those of its file. */
const besideMax = 512 * 1024;

const multipart = /^multipart\/form-data\s*;/i;
/** RFC 2046: a boundary has at most 70 characters. */
const boundary = /;\s*boundary=(?:"[\w'()+,./:=? -]{1,70}"|[\w'()+,./:=?-]{1,70})\s*(?:;|$)/i;

/** Throws unsupported_type, invalid_request, too_large, and the taker's own exceptions. */
export function formReader(
  patienceMs = slowest,
  mostBytes: number = limits.upload_bytes_max,
): (request: Request, taker: FileTaker) => Promise<void> {
  const inTime = deadline(patienceMs, () => malformed("The file did not arrive in time."));
  return async (request, taker) => {
    const form = new Form(request.headers, taker, mostBytes);
    const reader = request.body?.getReader();
    if (!reader) throw malformed("This needs a form with a file in it.");
    try {
      await inTime(form.read(reader));
    } catch (error) {
      // Does not wait for the rest of the body.
      reader.cancel().catch(() => {});
      throw error;
    }
  };
}

class Form {
  readonly #taker: FileTaker;
  readonly #mostBytes: number;
  readonly #parser: BusboyInstance;
  /** Settles when the parser has reached the end, or something that it cannot parse. */
  readonly #parsed: Promise<void>;
  #problem: unknown;
  #pieces: Uint8Array[] = [];
  #files = 0;
  #fileBytes = 0;

  constructor(headers: Headers, taker: FileTaker, mostBytes: number) {
    this.#taker = taker;
    this.#mostBytes = mostBytes;
    this.#parser = openParser(headers, mostBytes);
    this.#parsed = new Promise((resolve, reject) => {
      this.#parser.on("finish", resolve);
      this.#parser.on("error", () => reject(malformed("The form could not be read.")));
    });
    this.#parsed.catch(() => {});
    this.#parser.on("file", (_field, stream, filename) => {
      this.#files++;
      try {
        taker.named(filename);
      } catch (error) {
        this.#problem ??= error;
      }
      stream.on("data", (piece: Uint8Array) => this.#pieces.push(piece));
      stream.on("error", () => {});
    });
    this.#parser.on("field", (name, value) => taker.field?.(name, value));
    this.#parser.on("filesLimit", () => this.#refuse("holds more than one file"));
    this.#parser.on("partsLimit", () => this.#refuse("comes with too many other parts"));
    this.#parser.on("fieldsLimit", () => this.#refuse("comes with too many other parts"));
  }

  async read(reader: { read(): Promise<{ value?: Uint8Array<ArrayBuffer> }> }): Promise<void> {
    for (let bytes = 0; ; ) {
      const { value } = await arrival(reader.read());
      if (!value) break;
      bytes += value.byteLength;
      if (bytes > this.#mostBytes + besideMax) throw tooLarge(this.#mostBytes);
      await this.#parse(value);
      await turnAfter(value);
      letGo(value, await this.#handOver());
    }
    this.#parser.end();
    await this.#parsed;
    await this.#handOver();
    if (this.#files === 0) throw invalidField("file", "is missing: send it as a part with a file name");
  }

  #parse(chunk: Uint8Array): Promise<void> {
    const written = new Promise<void>((resolve) => this.#parser.write(chunk, () => resolve()));
    // A parser that has given up never calls back.
    return Promise.race([written, this.#parsed]);
  }

  /** Passes the parsed pieces to the taker, and returns them. */
  async #handOver(): Promise<Uint8Array[]> {
    if (this.#problem !== undefined) throw this.#problem;
    const pieces = this.#pieces;
    this.#pieces = [];
    for (const piece of pieces) this.#fileBytes += piece.byteLength;
    if (this.#fileBytes > this.#mostBytes) throw tooLarge(this.#mostBytes);
    // Large pieces are written one by one, because joining them would copy them in memory; many small ones are joined.
    const few = pieces.length <= 8 ? pieces : [Buffer.concat(pieces)];
    for (const piece of few) await this.#taker.take(piece);
    return pieces;
  }

  #refuse(message: string): void {
    this.#problem ??= invalidField("file", message);
  }
}

function openParser(headers: Headers, mostBytes: number): BusboyInstance {
  const type = headers.get("content-type") ?? "";
  if (!multipart.test(type)) throw new Refusal("unsupported_type", "Send the file as multipart/form-data.");
  if (!boundary.test(type)) throw malformed("The form names no boundary that it could be read by.");
  if (Number(headers.get("content-length") ?? 0) > mostBytes + besideMax) throw tooLarge(mostBytes);
  try {
    return new Busboy({ headers: { "content-type": type }, limits: parts });
  } catch {
    throw malformed("The form could not be read.");
  }
}

async function arrival<T>(chunk: Promise<T>): Promise<T> {
  try {
    return await chunk;
  } catch {
    throw malformed("The file did not arrive whole.");
  }
}

function malformed(sentence: string): Refusal {
  return new Refusal("invalid_request", sentence);
}

function tooLarge(mostBytes: number): Refusal {
  return new Refusal("too_large", `A file may have at most ${mostBytes / 1024 / 1024} MiB.`);
}
