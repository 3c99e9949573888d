// Looks into a file to see what it is, whatever it calls itself.
import { open } from "node:fs/promises";

const patienceMs = 5000;
const chunkBytes = 64 * 1024;
/** No browser looks further than this to guess a type. */
const markupWithin = 4096;

const markup = /<\s*(!doctype|\?xml|(html|head|body|svg|script|iframe)\b)/i;
const escapeSign = "\u001b";
/** Texts hold tab, line feed, form feed, carriage return, and the escape that colours logs; of ASCII, no other control. */
const noText = new RegExp(`\\p{Cc}(?<![\\t\\n\\f\\r${escapeSign}\\u0080-\\u009f])`, "u");
/** Formats that can be written in plain letters and are more than text all the same. */
const writtenInLetters = new Set(["pdf", "rtf", "ps", "eps", "xml", "svg"]);

/**
 * The type of the file at `path` in the words of file-type, `text` when it is plain text in UTF-8 without markup at its
 * start; undefined when it is neither.
 */
export async function typeOfContent(path: string): Promise<string | undefined> {
  const found = await signatureOf(path);
  // Two letters are enough to look like a program or a picture ("MZ", "BM"), but those hold bytes that no text does.
  if (found !== undefined && writtenInLetters.has(found)) return found;
  return (await isText(path)) ? "text" : found;
}

async function signatureOf(path: string): Promise<string | undefined> {
  // At the first upload, which can wait for it; not at every start.
  const { fileTypeFromFile } = await import("file-type");
  try {
    return (await fileTypeFromFile(path, { signal: AbortSignal.timeout(patienceMs) }))?.ext;
  } catch {
    // Cut off in the middle, or made to be hard to read.
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
