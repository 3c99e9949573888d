// Answers that are more than a value: a page, a repeated result, a header.
import type { Data } from "../blobs/blobs.ts";

/** Written out by dispatch. `status` undefined means the operation's own success status. */
export class Reply {
  readonly body: unknown;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: unknown, status: number | undefined, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

/** JSON that is text already; it is sent as it is. */
export class Json {
  readonly text: string | Blob;
  constructor(text: string | Blob) {
    this.text = text;
  }
}

/** An answer that is no JSON: a file, say. */
export class Content {
  readonly data: Data;
  readonly type: string;
  constructor(data: Data, type: string) {
    this.data = data;
    this.type = type;
  }
}

/** Bytes in memory that are no JSON. Like JSON they are bounded together, until their readers have taken them. */
export class Bytes {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly type: string;
  constructor(data: Uint8Array<ArrayBuffer>, type: string) {
    this.data = data;
    this.type = type;
  }
}

/** Returns the length of a page: as many things as were asked for, else `usual`, but from one to `most`. */
export function pageLength(asked: number | undefined, most: number, usual = most): number {
  return Math.min(Math.max(asked ?? usual, 1), most);
}

/** A page of a list; the header X-Has-More says whether the list goes on. */
export function page(items: unknown, hasMore: boolean): Reply {
  return new Reply(items, undefined, { "X-Has-More": String(hasMore) });
}

/** The result of an earlier, identical call: 200 where a first one answers 201. */
export function repeated(body: unknown): Reply {
  return new Reply(body, 200, {});
}

/** A result with headers of its own. */
export function withHeaders(body: unknown, headers: Readonly<Record<string, string>>): Reply {
  return new Reply(body, undefined, headers);
}

/** Whether the caller has this version already: If-None-Match names it (RFC 9110). */
export function isKnown(headers: Headers, etag: string): boolean {
  const known = headers.get("if-none-match");
  if (known === null) return false;
  return known.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
}

/** The answer to a caller that has this version already, with the headers that the whole answer would have. */
export function notModified(headers: Readonly<Record<string, string>>): Reply {
  return new Reply(undefined, 304, headers);
}
