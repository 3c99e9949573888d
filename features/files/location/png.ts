// Removes location data from PNG: in EXIF, in XMP, in the text chunks in which older programs store either, and in the
// bytes behind its last chunk.
import { crc32 } from "node:zlib";
import { Edits } from "./edits.ts";
import { exifSaying, mostExifBytes, readExif } from "./exif.ts";
import type { FileBytes } from "./file-bytes.ts";
import { allTraces, isTraced } from "./traces.ts";

const signatureBytes = 8;
/** Sizes of a chunk's length and type, before its content, and of the checksum behind it. */
const headBytes = 8;
const checksumBytes = 4;
const texts = new Set(["tEXt", "zTXt", "iTXt"]);
/** A keyword has at most 79 characters, and a zero behind it. */
const keywordBytes = 80;

/**
 * The keywords of XMP, and of the profiles and properties that ImageMagick writes as texts. Only after unpacking would
 * a profile show whether it holds a location, so all of EXIF and XMP is removed.
 */
const keywords = /^(XML:com\.adobe\.xmp|Raw profile type (exif|app1|xmp)|exif:GPS.*)$/i;

/** Behind the end of the picture, texts may lie outside of chunks. */
const traces = [...allTraces, ...["exif:GPS", "Raw profile type"].map((word) => Buffer.from(word, "latin1"))];

/** Returns the edits that remove all location data. Throws TooOdd. */
export async function placesInPng(file: FileBytes): Promise<Edits> {
  const edits = new Edits();
  for (let at = signatureBytes; ; ) {
    file.count();
    const head = await file.at(at, headBytes);
    if (head.length < headBytes) return edits;
    const length = head.readUInt32BE(0);
    const type = head.toString("latin1", 4);
    const to = Math.min(at + headBytes + length + checksumBytes, file.size);
    if (type === "eXIf") {
      const { holdsPlace, orientation } = readExif(
        await file.at(at + headBytes, Math.min(length, mostExifBytes)),
      );
      if (holdsPlace || length > mostExifBytes) edits.add({ from: at, to, ...instead(orientation) });
    } else if (texts.has(type)) {
      const text = (await file.at(at + headBytes, Math.min(length, keywordBytes))).toString("latin1");
      if (keywords.test(text.split("\0", 1)[0] ?? "")) edits.add({ from: at, to });
    }
    at = to;
    if (type !== "IEND") continue;
    if (await isTraced(file, at, traces)) edits.add({ from: at, to: file.size });
    return edits;
  }
}

function instead(orientation: number): { instead?: Buffer } {
  const block = exifSaying(orientation);
  if (!block) return {};
  const typed = Buffer.concat([Buffer.from("eXIf", "latin1"), block]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(checksumBytes)];
  length.writeUInt32BE(block.length);
  checksum.writeUInt32BE(crc32(typed));
  return { instead: Buffer.concat([length, typed, checksum]) };
}
