// The response with a picture: whole, a range, or not modified.
import { type Bytes, type Content, isKnown, notModified, Reply } from "../../server/house/reply.ts";
import { spanOf } from "../files/ranges.ts";

export interface Picture {
  etag: string;
  size: number;
  /** The bytes from `first` to `last`, both included. */
  bytes(first: number, last: number): Content | Bytes;
}

export function answerWith({ etag, size, bytes }: Picture, asked: Headers): Reply {
  const headers = {
    ETag: etag,
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=3600",
    // A picture opened as a page can run nothing.
    "Content-Security-Policy": "default-src 'none'; sandbox",
  };
  if (isKnown(asked, etag)) return notModified(headers);
  const span = spanOf(asked, etag, size);
  if (!span) return new Reply(bytes(0, size - 1), 200, headers);
  const { first, last } = span;
  return new Reply(bytes(first, last), 206, {
    ...headers,
    "Content-Range": `bytes ${first}-${last}/${size}`,
  });
}
