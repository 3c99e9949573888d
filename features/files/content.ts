// Detects the type of a file by its content. Its name decides only where the content is ambiguous.
import { type FileHandle, open } from "node:fs/promises";
import { underName } from "./by-name.ts";
import { FileBytes } from "./location/file-bytes.ts";
import { type Markup, Opening } from "./opening.ts";
import { signatureOf } from "./signatures.ts";
import { hasFilmTrack } from "./tracks.ts";

export interface Inside {
  /**
   * The type, by its name in file-type; `text` for text in UTF-8, `other text` for text in another encoding; undefined
   * if unknown.
   */
  found: string | undefined;
  /** True if a container of films and sound has a video track. Undefined where it does not say. */
  hasFilm?: boolean | undefined;
  /** The kind of markup, if the file is markup. */
  markup?: Markup | undefined;
  isEmpty?: boolean;
}

const chunkBytes = 64 * 1024;

const escapeSign = "\u001b";
const nul = /\0/;
/**
 * Control characters that a text must not hold if it begins as a program or a picture does: all but tab, line feed,
 * form feed, carriage return and the escape of colours in logs. Other texts may hold any but NUL: exports of DOS end
 * with one, and logs ring bells.
 */
const noText = new RegExp(`\\p{Cc}(?<![\\t\\n\\f\\r${escapeSign}\\u0080-\\u009f])`, "u");
/** Formats that may consist of plain letters but are more than text. */
const writtenInLetters = new Set(["pdf", "rtf", "ps", "eps", "xml", "svg"]);

export async function insideOf(path: string, extension: string): Promise<Inside> {
  const signature = await signatureOf(path);
  const file = await open(path, "r");
  try {
    // Two letters can look like a program or a picture ("MZ", "BM"), but those formats also hold bytes that text does
    // not.
    const text =
      signature !== undefined && writtenInLetters.has(signature)
        ? undefined
        : await textIn(file, signature ? noText : nul);
    if (text?.markup) return text;
    const { size } = await file.stat();
    const bytes = new FileBytes(file, size);
    const found = await underName(extension, text?.found ?? signature, bytes);
    return { found, isEmpty: size === 0, hasFilm: await hasFilmTrack(found, bytes) };
  } finally {
    await file.close();
  }
}

const utf16Marks: Readonly<Record<string, "utf-16le" | "utf-16be">> = { fffe: "utf-16le", feff: "utf-16be" };

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
type Text = { found: "text" | "other text"; markup: Markup | undefined };

/** Returns undefined if the file is not text. */
async function textIn(file: FileHandle, forbidden: RegExp): Promise<Text | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  const utf16 = utf16Marks[buffer.toString("hex", 0, bytesRead)];
  if (utf16) return (await readAs(file, utf16, forbidden)) || undefined;
  const text = await readAs(file, "utf-8", forbidden);
  // If the encoding is unknown, Windows-1252 decodes the characters below 128 correctly and has some letter for every
  // other byte.
  return text === false ? (await readAs(file, "windows-1252", forbidden)) || undefined : text;
}

/** Returns false if the bytes are not valid in this encoding, undefined if they are not text. */
async function readAs(
  file: FileHandle,
  encoding: Encoding,
  forbidden: RegExp,
): Promise<Text | undefined | false> {
  const found = encoding === "utf-8" ? "text" : "other text";
  const decoder = new TextDecoder(encoding, { fatal: true });
  const opening = new Opening();
  const bytes = new Uint8Array(chunkBytes);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(bytes, 0, chunkBytes, at);
    const letters = decoded(decoder, bytes.subarray(0, bytesRead));
    if (letters === undefined) return false;
    if (forbidden.test(letters)) return undefined;
    opening.read(letters);
    // A page is refused under every name, so the rest does not matter.
    if (bytesRead === 0 || opening.markup === "page") return { found, markup: opening.markup };
    at += bytesRead;
  }
}

/** Decodes a piece; an empty one is the end. Returns undefined if it is not valid in the encoding. */
function decoded(decoder: TextDecoder, piece: Uint8Array): string | undefined {
  try {
    return decoder.decode(piece, { stream: piece.length > 0 });
  } catch {
    return undefined;
  }
}
