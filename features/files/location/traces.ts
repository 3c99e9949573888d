// Traces of EXIF and XMP behind the end of a picture, where no list describes the content.
import { exifWord } from "./exif.ts";
import type { FileBytes } from "./file-bytes.ts";

const windowBytes = 64 * 1024;

const words = (...list: string[]) => list.map((word) => Buffer.from(word, "latin1"));

/** The beginnings of both in a JPEG; too long to occur in a film by chance. */
export const longTraces: readonly Buffer[] = [exifWord, ...words("ns.adobe.com/x")];
/**
 * The beginnings of both in any format, and a word in all XMP. The short ones may occur by chance in a film of many
 * megabytes.
 */
export const allTraces: readonly Buffer[] = [
  ...longTraces,
  ...words("EXIF", "eXIf", "II*\0", "MM\0*", "XMP ", "rdf-syntax-ns#"),
];

/** True if one of the traces occurs in the file from here on. */
export async function isTraced(file: FileBytes, from: number, traces: readonly Buffer[]): Promise<boolean> {
  const longest = Math.max(...traces.map((trace) => trace.length));
  for (let at = from; at < file.size; at += windowBytes - longest) {
    const bytes = await file.at(at, windowBytes);
    if (traces.some((trace) => bytes.includes(trace))) return true;
  }
  return false;
}
