// Files for browsers that were compressed beforehand: the answer with the one that a browser takes, or that it has it already.
import type { Data } from "../blobs/blobs.ts";
import type { PageAnswer, PageRequest } from "./page.ts";

/** From the smallest on. */
const encodings = ["br", "gzip"] as const;

/** A file in the encodings there are of it. */
export interface EncodedFile {
  /** The media type. */
  type: string;
  /** Of the plain bytes; as a tag, each encoding has one of its own. */
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
