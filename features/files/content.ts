// Finds the type of a file by its content, whatever its name says.
import { openAsBlob } from "node:fs";
import { open } from "node:fs/promises";

const patienceMs = 5000;
const chunkBytes = 64 * 1024;
/** Browsers look no further than this to guess a type. */
const markupWithin = 4096;

const markup = /<\s*(!doctype|\?xml|(html|head|body|svg|script|iframe)\b)/i;
const escapeSign = "\u001b";
/**
 * Control characters that no text holds: all but tab, line feed, form feed, carriage return and the escape of colours
 * in logs.
 */
const noText = new RegExp(`\\p{Cc}(?<![\\t\\n\\f\\r${escapeSign}\\u0080-\\u009f])`, "u");
/** Formats that may consist of plain letters but are more than text. */
const writtenInLetters = new Set(["pdf", "rtf", "ps", "eps", "xml", "svg"]);

/**
 * The type of the file at `path` in the words of file-type; `text` for plain UTF-8 text without markup at its start;
 * else undefined.
 */
export async function typeOfContent(path: string): Promise<string | undefined> {
  const found = await signatureOf(path);
  // Two letters can look like a program or a picture ("MZ", "BM"), but those formats also hold bytes that no text does.
  if (found !== undefined && writtenInLetters.has(found)) return found;
  return (await isText(path)) ? "text" : found;
}

async function signatureOf(path: string): Promise<string | undefined> {
  // Loaded with the first upload, not at every start.
  const { fileTypeFromBlob } = await import("file-type");
  try {
    // By its path the library would ask for another package at that moment, which no bundler knows of.
    return (await fileTypeFromBlob(await openAsBlob(path), { signal: AbortSignal.timeout(patienceMs) }))?.ext;
  } catch {
    // The file is cut off, or was made to be hard to read.
    return undefined;
  }
}

async function isText(path: string): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const bytes = new Uint8Array(chunkBytes);
  const file = await open(path, "r");
  try {
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(bytes, 0, chunkBytes, at);
      const chunk = bytes.subarray(0, bytesRead);
      const text = decoder.decode(chunk, { stream: bytesRead > 0 });
      if (noText.test(text)) return false;
      if (at === 0 && markup.test(text.slice(0, markupWithin))) return false;
      if (bytesRead === 0) return true;
      at += bytesRead;
    }
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  } finally {
    await file.close();
  }
}
