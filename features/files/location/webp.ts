// Removes location data from WebP: in EXIF, in XMP, and behind its end.
import { Edits } from "./edits.ts";
import { exifSaying, mostExifBytes, readExif } from "./exif.ts";
import type { FileBytes } from "./file-bytes.ts";
import { allTraces, isTraced } from "./traces.ts";

/** The header of the file: RIFF, the length of the rest, WEBP. */
const fileHeadBytes = 12;
const lengthAt = 4;
/** The header of a chunk: type and length. */
const headBytes = 8;
/** The chunk that says which other chunks there are. */
const features = { type: "VP8X", exif: 0x08, xmp: 0x04 };

/** Returns the edits that remove all location data. Throws TooOdd. */
export async function placesInWebp(file: FileBytes): Promise<Edits> {
  const edits = new Edits();
  const fileHead = Buffer.from(await file.at(0, fileHeadBytes));
  if (fileHead.length < fileHeadBytes) return edits;
  const end = endOf(fileHead, file.size);
  let flags: { at: number; value: number } | undefined;
  let gone = 0;
  let at = fileHeadBytes;
  while (at + headBytes <= end) {
    file.count();
    const head = await file.at(at, headBytes);
    const length = head.readUInt32LE(4);
    const type = head.toString("latin1", 0, 4);
    const content = at + headBytes;
    // A chunk of odd length has a padding byte behind it.
    const said = content + length + (length % 2);
    // A removed chunk goes whole, even if the picture is said to end within it.
    const whole = Math.min(said, file.size);
    let to = Math.min(said, end);
    if (type === features.type && !flags) {
      flags = { at: content, value: (await file.at(content, 1))[0] ?? 0 };
    } else if (type === "XMP ") {
      to = whole;
      edits.add({ from: at, to });
      gone |= features.xmp;
    } else if (type === "EXIF") {
      const { holdsPlace, orientation } = readExif(await file.at(content, Math.min(length, mostExifBytes)));
      if (holdsPlace || length > mostExifBytes) {
        to = whole;
        const block = exifSaying(orientation);
        edits.add({ from: at, to, ...(block && { instead: chunk(block) }) });
        if (!block) gone |= features.exif;
      }
    }
    at = to;
  }
  const hasMore = await isTraced(file, at, allTraces);
  if (edits.list.length === 0 && !hasMore) return edits;
  if (flags) edits.add({ from: flags.at, to: flags.at + 1, instead: Buffer.of(flags.value & ~gone) });
  fileHead.writeUInt32LE((hasMore ? at : Math.max(at, end)) - lengthAt - 4 + edits.growth, lengthAt);
  edits.add({ from: 0, to: fileHeadBytes, instead: fileHead });
  if (hasMore) edits.add({ from: at, to: file.size });
  return edits;
}

/**
 * Returns the end of the picture. A length without room for one was never filled in: then the picture is the whole
 * file.
 */
function endOf(fileHead: Buffer, size: number): number {
  const end = lengthAt + 4 + fileHead.readUInt32LE(lengthAt);
  return end <= fileHeadBytes ? size : Math.min(end, size);
}

function chunk(block: Buffer): Buffer {
  const head = Buffer.from("EXIF\0\0\0\0", "latin1");
  head.writeUInt32LE(block.length, 4);
  return Buffer.concat([head, block]);
}
