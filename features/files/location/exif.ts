// EXIF blocks: whether one holds a location, the orientation, and a block with only that.

interface ExifFacts {
  holdsPlace: boolean;
  /** 1 to 8, as in the standard; 1 if the block does not say. */
  orientation: number;
}

const tag = { orientation: 0x0112, xmp: 0x02bc, exif: 0x8769, gps: 0x8825 };
/** The tag of the version in the GPS part. Cameras write it without knowing where they are. */
const gpsVersion = 0;
/** The entry types that are used here. */
const short = 3;
/** Limits of a block: usual are four or five lists with some hundred entries; a malicious one may have millions. */
const mostLists = 16;
const mostEntries = 2000;
const headBytes = 8;
const entryBytes = 12;

/** The prefix of an EXIF block in a JPEG, and in some WebP files. A few cameras write another last byte. */
export const exifPrefix = Buffer.from("Exif\0\0", "latin1");
export const exifWord = exifPrefix.subarray(0, 5);
/** Most bytes of a block that are read: those of cameras have some kilobytes, those of JPEGs 64 at most. */
export const mostExifBytes = 1024 * 1024;

/** Parses a block as far as possible; of a truncated one, the entries that are there. */
export function readExif(given: Buffer): ExifFacts {
  const block = withoutPrefix(given);
  const facts: ExifFacts = { holdsPlace: false, orientation: 1 };
  const order = block.toString("latin1", 0, 4);
  const isLittle = order === "II*\0";
  if (!(isLittle || order === "MM\0*") || block.length < headBytes) return facts;
  const reader = new Entries(block, isLittle);
  const first = reader.offset(4);
  const due = [first];
  const seen = new Set<number>();
  let entries = 0;
  for (let list = due.shift(); list !== undefined; list = due.shift()) {
    if (seen.has(list)) continue;
    seen.add(list);
    if (seen.size > mostLists) return { ...facts, holdsPlace: true };
    for (const entry of reader.of(list)) {
      if (++entries > mostEntries) return { ...facts, holdsPlace: true };
      if (entry.tag === tag.xmp) facts.holdsPlace = true;
      else if (entry.tag === tag.gps) facts.holdsPlace ||= reader.saysWhere(entry.value);
      else if (entry.tag === tag.exif) due.push(entry.value);
      else if (entry.tag === tag.orientation && list === first) facts.orientation = asOrientation(entry);
    }
    due.push(reader.offsetAfter(list));
  }
  return facts;
}

/** Returns a block with nothing but the orientation; undefined for a picture that is upright. */
export function exifSaying(orientation: number): Buffer | undefined {
  if (orientation === 1) return undefined;
  const block = Buffer.alloc(26);
  block.write("II*\0", "latin1");
  block.writeUInt32LE(8, 4);
  block.writeUInt16LE(1, 8);
  block.writeUInt16LE(tag.orientation, 10);
  block.writeUInt16LE(short, 12);
  block.writeUInt32LE(1, 14);
  block.writeUInt16LE(orientation, 18);
  return block;
}

function withoutPrefix(block: Buffer): Buffer {
  return block.subarray(0, exifWord.length).equals(exifWord) ? block.subarray(exifPrefix.length) : block;
}

interface Entry {
  tag: number;
  /** The value of a number that fits, else its offset in the block. */
  value: number;
  /** The first two bytes of the value. */
  short: number;
}

function asOrientation(entry: Entry): number {
  return entry.short >= 1 && entry.short <= 8 ? entry.short : 1;
}

/** Reads the lists of entries in a block by their offsets, and nothing outside of the block. */
class Entries {
  readonly #block: Buffer;
  readonly #isLittle: boolean;

  constructor(block: Buffer, isLittle: boolean) {
    this.#block = block;
    this.#isLittle = isLittle;
  }

  /** Returns the offset stored here, or 0, where no list can be, if the block ends before. */
  offset(at: number): number {
    if (at + 4 > this.#block.length) return 0;
    return this.#isLittle ? this.#block.readUInt32LE(at) : this.#block.readUInt32BE(at);
  }

  *of(list: number): Generator<Entry> {
    for (let i = 0; i < this.#count(list); i++) {
      const at = list + 2 + i * entryBytes;
      if (at + entryBytes > this.#block.length) return;
      yield { tag: this.#short(at), value: this.offset(at + 8), short: this.#short(at + 8) };
    }
  }

  offsetAfter(list: number): number {
    return this.offset(list + 2 + this.#count(list) * entryBytes);
  }

  /** True if the GPS part at this offset holds more than its version; true if it cannot be read. */
  saysWhere(list: number): boolean {
    if (list < headBytes || list + 2 + this.#count(list) * entryBytes > this.#block.length) return true;
    return this.of(list).some((entry) => entry.tag !== gpsVersion);
  }

  #count(list: number): number {
    return list < headBytes || list + 2 > this.#block.length ? 0 : this.#short(list);
  }

  #short(at: number): number {
    return this.#isLittle ? this.#block.readUInt16LE(at) : this.#block.readUInt16BE(at);
  }
}
