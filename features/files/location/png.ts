// Locations in a PNG: in its EXIF, its XMP, the text chunks in which older programs store either, and the bytes behind its
// last chunk.
import { crc32 } from "node:zlib";
import { Edits } from "./edits.ts";
import { exifSaying, mostExifBytes, readExif } from "./exif.ts";
import type { FileBytes } from "./file-bytes.ts";
import { allTraces, isTraced } from "./traces.ts";

const signatureBytes = 8;
/** Length and type before the content of a chunk, a checksum behind it. */
const headBytes = 8;
const checksumBytes = 4;
const texts = new Set(["tEXt", "zTXt", "iTXt"]);
/** A keyword has at most 79 letters, and a zero behind it. */
const keywordBytes = 80;

/**
 * XMP; the profiles and properties that ImageMagick writes as texts. Only unpacked a profile would say whether there is
 * a place in it, so all of EXIF and XMP go.
 */
const keywords = /^(XML:com\.adobe\.xmp|Raw profile type (exif|app1|xmp)|exif:GPS.*)$/i;

/** Behind the end of the picture texts need not be chunks any more. */
const traces = [...allTraces, ...["exif:GPS", "Raw profile type"].map((word) => Buffer.from(word, "latin1"))];

/** Returns the changes that leave no place in the file. Throws TooOdd. */
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
