// Serves precompressed files to browsers, in the best encoding that they accept, or answers 304 if they have the file.
import type { Data } from "../blobs/blobs.ts";
import type { PageAnswer, PageRequest } from "./page.ts";

/** Smallest first. */
const encodings = ["br", "gzip"] as const;

/** A file in its available encodings. */
export interface EncodedFile {
  /** The media type. */
  type: string;
  /** Hash of the plain bytes; the ETag of each encoding adds its name. */
  hash: string;
  plain: Data;
  br?: Data | undefined;
  gzip?: Data | undefined;
}

export function answerEncoded(file: EncodedFile, { headers }: PageRequest, cacheControl: string): PageAnswer {
  const taken = headers.get("accept-encoding") ?? "";
  const encoding = encodings.find((name) => file[name] && takes(taken, name));
  const tag = encoding ? `"${file.hash}-${encoding}"` : `"${file.hash}"`;
  const said = { ETag: tag, "Cache-Control": cacheControl, Vary: "Accept-Encoding" };
  const known = headers.get("if-none-match")?.split(",") ?? [];
  const { type } = file;
  if (known.some((each) => each.trim() === "*" || each.trim().replace("W/", "") === tag))
    return { status: 304, type, body: null, headers: said };
  const body = (encoding && file[encoding]) ?? file.plain;
  return { status: 200, type, body, headers: encoding ? { ...said, "Content-Encoding": encoding } : said };
}

function takes(accepted: string, encoding: string): boolean {
  return new RegExp(`(^|[,\\s])${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, "i").test(accepted);
}
