// Answers that are more than a JSON value: a page, a repeated result, a header.
import type { Data } from "../blobs/blobs.ts";

/** Sent by dispatch. An undefined `status` means the operation's own success status. */
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

/** Text that is already JSON, sent as it is. */
export class Json {
  readonly text: string | Blob;
  constructor(text: string | Blob) {
    this.text = text;
  }
}

/** An answer that is not JSON, such as a file. */
export class Content {
  readonly data: Data;
  readonly type: string;
  constructor(data: Data, type: string) {
    this.data = data;
    this.type = type;
  }
}

/** Bytes in memory that are not JSON. Like JSON, they count towards the bound on unread answers. */
export class Bytes {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly type: string;
  constructor(data: Uint8Array<ArrayBuffer>, type: string) {
    this.data = data;
    this.type = type;
  }
}

/** Returns the length of a page: as many items as requested, else `usual`, clamped between one and `most`. */
export function pageLength(asked: number | undefined, most: number, usual = most): number {
  return Math.min(Math.max(asked ?? usual, 1), most);
}

/** A page of a list; the header X-Has-More says whether the list goes on. */
export function page(items: unknown, hasMore: boolean): Reply {
  return new Reply(items, undefined, { "X-Has-More": String(hasMore) });
}

/** The result of an earlier, identical call: 200 where the first one was answered with 201. */
export function repeated(body: unknown): Reply {
  return new Reply(body, 200, {});
}

/** A result with headers of its own. */
export function withHeaders(body: unknown, headers: Readonly<Record<string, string>>): Reply {
  return new Reply(body, undefined, headers);
}

/** True if the caller has this version: If-None-Match names it (RFC 9110). */
export function isKnown(headers: Headers, etag: string): boolean {
  const known = headers.get("if-none-match");
  if (known === null) return false;
  return known.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
}

/** The answer to a caller that has this version, with the headers that the full answer would have. */
export function notModified(headers: Readonly<Record<string, string>>): Reply {
  return new Reply(undefined, 304, headers);
}
