// Removes location data from JPEG: in EXIF, in XMP, and in what phones append to the picture.
import { Edits, mostEdits } from "./edits.ts";
import { exifPrefix, exifSaying, exifWord, readExif } from "./exif.ts";
import { type FileBytes, TooOdd } from "./file-bytes.ts";
import { isTraced, longTraces } from "./traces.ts";

const marker = { start: 0xd8, end: 0xd9, app1: 0xe1, app2: 0xe2 };

const xmpPrefixes = ["http://ns.adobe.com/xap/1.0/\0", "http://ns.adobe.com/xmp/extension/\0"];
/** The list of further pictures behind the first one, with their offsets. */
const listPrefix = "MPF\0";

interface Segment {
  marker: number;
  from: number;
  to: number;
}

interface Found {
  exif: Segment[];
  xmp: Segment[];
  lists: Segment[];
  holdsPlace: boolean;
  orientation: number;
}

/** Returns the edits that remove all location data. Throws TooOdd. */
export async function placesInJpeg(file: FileBytes): Promise<Edits> {
  const found: Found = { exif: [], xmp: [], lists: [], holdsPlace: false, orientation: 1 };
  let end = file.size;
  for await (const segment of segments(file)) {
    if (segment.marker === marker.end) end = segment.to;
    else await sort(file, segment, found);
  }
  const hasMore = await isTraced(file, end, longTraces);
  const edits = new Edits();
  if (!found.holdsPlace && found.xmp.length === 0 && !hasMore) return edits;
  for (const { from, to } of [...found.xmp, ...found.lists]) edits.add({ from, to });
  if (found.holdsPlace)
    for (const [i, { from, to }] of found.exif.entries())
      edits.add({ from, to, ...(i === 0 && instead(found.orientation)) });
  // Motion, depth and brightness data is found through XMP or the list, and the film may show the place.
  if (end < file.size) edits.add({ from: end, to: file.size });
  return edits;
}

/** Records the relevant content of a segment. Throws TooOdd. */
async function sort(file: FileBytes, segment: Segment, found: Found): Promise<void> {
  const { from, to } = segment;
  const content = (await file.at(from, to - from)).subarray(4);
  const begins = (prefix: string | Buffer) =>
    content
      .subarray(0, prefix.length)
      .equals(typeof prefix === "string" ? Buffer.from(prefix, "latin1") : prefix);
  if (segment.marker === marker.app2) {
    if (begins(listPrefix)) found.lists.push(segment);
  } else if (xmpPrefixes.some(begins)) {
    found.xmp.push(segment);
  } else if (begins(exifWord)) {
    const { holdsPlace, orientation } = readExif(content);
    if (found.exif.length === 0) found.orientation = orientation;
    found.holdsPlace ||= holdsPlace;
    found.exif.push(segment);
  }
  if (found.exif.length + found.xmp.length + found.lists.length > mostEdits) throw new TooOdd();
}

function instead(orientation: number): { instead?: Buffer } {
  const block = exifSaying(orientation);
  if (!block) return {};
  const head = Buffer.from([0xff, marker.app1, 0, 2 + exifPrefix.length + block.length]);
  return { instead: Buffer.concat([head, exifPrefix, block]) };
}

/** Yields the segments that may matter, and the end of the picture. Unreadable bytes are skipped, as readers do. */
async function* segments(file: FileBytes): AsyncGenerator<Segment> {
  for (let at = 2; ; ) {
    file.count();
    const from = await nextMarker(file, at);
    const head = await file.at(from, 4);
    if (head.length < 2) return;
    const kind = head[1]!;
    if (kind === marker.end) {
      yield { marker: kind, from, to: from + 2 };
      return;
    }
    if (kind === marker.start) {
      at = from + 2;
      continue;
    }
    if (head.length < 4) return;
    const to = Math.min(from + 2 + Math.max(2, head.readUInt16BE(2)), file.size);
    if (kind === marker.app1 || kind === marker.app2) yield { marker: kind, from, to };
    at = to;
  }
}

/** Returns the offset of the next marker, or the end of the file. Bytes within the pixels of a scan are not markers. */
async function nextMarker(file: FileBytes, start: number): Promise<number> {
  for (let at = start; ; ) {
    const bytes = await file.from(at);
    if (bytes.length < 2) return file.size;
    let i = bytes.indexOf(0xff);
    while (i >= 0 && i + 1 < bytes.length && !isMarker(bytes[i + 1]!)) i = bytes.indexOf(0xff, i + 1);
    if (i >= 0 && i + 1 < bytes.length) return at + i;
    at += i < 0 ? bytes.length : i;
  }
}

/**
 * True if this byte after 0xff makes a marker: zero escapes 0xff itself, D0 to D7 divide a scan, and repeated 0xff is
 * padding before a marker.
 */
function isMarker(byte: number): boolean {
  return byte !== 0 && byte !== 0xff && !(byte >= 0xd0 && byte <= 0xd7) && byte !== 0x01;
}
