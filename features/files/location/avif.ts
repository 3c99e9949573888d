// Removes location data from AVIF. Its parts are found by their offsets, so data is overwritten and not cut, except
// behind its last box.
import { type Box, boxesIn, contentOf, type Extent, type Item, itemsIn, locationsIn } from "./boxes.ts";
import { Edits, mostEdits } from "./edits.ts";
import { exifSaying, mostExifBytes, readExif } from "./exif.ts";
import { type FileBytes, TooOdd } from "./file-bytes.ts";
import { allTraces, isTraced } from "./traces.ts";

/** Boxes that may contain a list of items. */
const around = new Set(["moov", "trak"]);
const mostDepth = 4;
/** Boxes in which a truncated file may end. */
const cutOff = new Set(["ftyp", "meta", "moov", "mdat", "uuid", "free", "skip"]);
/** The boxes that list the items, give their locations, and may hold their data. */
const parts = new Set(["iinf", "iloc", "idat"]);
/** Size of version and flags at the beginning of a box. */
const flagBytes = 4;
/** Size of the offset to the block, at the beginning of an EXIF item. */
const offsetBytes = 4;
/** Types that readers ignore. */
const nothing = { item: Buffer.from("skip", "latin1"), box: Buffer.from("free", "latin1") };
/** The id of an XMP box, as in films. */
const xmpBox = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
const xmpType = "application/rdf+xml";

/** Returns the edits that remove all location data. Throws TooOdd. */
export async function placesInAvif(file: FileBytes): Promise<Edits> {
  const walk = new Walk(file);
  const end = await walk.lookAtAll();
  if (end > 0 && (await isTraced(file, end, allTraces))) walk.edits.add({ from: end, to: file.size });
  return walk.edits;
}

class Walk {
  readonly edits = new Edits();
  readonly #file: FileBytes;
  /** Items of EXIF and XMP so far: a file may have very many, all at the same offset. */
  #items = 0;

  constructor(file: FileBytes) {
    this.#file = file;
  }

  /** Returns the end of the picture's boxes: before anything that is not a box, and before another file. */
  async lookAtAll(): Promise<number> {
    let end = 0;
    for await (const box of boxesIn(this.#file, { from: 0, to: this.#file.size })) {
      const isOther = box.type === "ftyp" && box.from > 0;
      if (isOther || !(box.isWhole || cutOff.has(box.type))) break;
      await this.#lookAt(box, mostDepth);
      end = box.to;
    }
    return end;
  }

  async #lookAt(box: Box, depth: number): Promise<void> {
    const inside = { from: box.content, to: box.to };
    if (box.type === "meta") {
      await this.#lookAtItems(box);
    } else if (around.has(box.type) && depth > 0) {
      for await (const inner of boxesIn(this.#file, inside)) await this.#lookAt(inner, depth - 1);
    } else if (box.type === "uuid" && (await this.#file.at(box.content, xmpBox.length)).equals(xmpBox)) {
      this.edits.add({ from: box.from + 4, to: box.from + 8, instead: nothing.box });
      this.edits.add({ ...inside, instead: "zeros" });
    }
  }

  async #lookAtItems(meta: Box): Promise<void> {
    const boxes = new Map<string, Box>();
    for await (const box of boxesIn(this.#file, { from: meta.content + flagBytes, to: meta.to }))
      if (parts.has(box.type)) boxes.set(box.type, box);
    const [list, places, data] = ["iinf", "iloc", "idat"].map((type) => boxes.get(type));
    if (!list || !places) return;
    const items = itemsIn(await contentOf(this.#file, list), list.content).filter(isExifOrXmp);
    const ids = new Set(items.map(({ id }) => id));
    const extents = locationsIn(await contentOf(this.#file, places), ids, data?.content);
    for (const item of items) {
      if (++this.#items > mostEdits) throw new TooOdd();
      await this.#remove(item, within(extents.get(item.id) ?? [], this.#file.size));
    }
  }

  /** Overwrites an item of EXIF with location data, and any item of XMP. */
  async #remove(item: Item, extents: readonly Extent[]): Promise<void> {
    const isExif = item.type === "Exif";
    const { holdsPlace, orientation } = isExif
      ? await this.#exifAt(extents)
      : { holdsPlace: true, orientation: 1 };
    if (!holdsPlace) return;
    const block = exifSaying(orientation);
    const [first] = extents;
    if (block && first && first.to - first.from >= offsetBytes + block.length) {
      const instead = Buffer.concat([Buffer.alloc(offsetBytes), block]);
      this.edits.add({ from: first.from, to: first.from + instead.length, instead });
    } else {
      this.edits.add({ from: item.typeAt, to: item.typeAt + 4, instead: nothing.item });
    }
    for (const extent of extents) this.edits.add({ ...extent, instead: "zeros" });
  }

  async #exifAt(extents: readonly Extent[]) {
    const parts: Buffer[] = [];
    let left = mostExifBytes;
    for (const { from, to } of extents) {
      const part = Buffer.from(await this.#file.at(from, Math.min(to - from, left)));
      parts.push(part);
      left -= part.length;
    }
    const content = Buffer.concat(parts);
    if (content.length < offsetBytes) return { holdsPlace: false, orientation: 1 };
    const facts = readExif(content.subarray(offsetBytes + content.readUInt32BE(0)));
    return left === 0 ? { ...facts, holdsPlace: true } : facts;
  }
}

function isExifOrXmp({ type, mediaType }: Item): boolean {
  return type === "Exif" || (type === "mime" && mediaType === xmpType);
}

function within(extents: readonly Extent[], size: number): Extent[] {
  return extents
    .map(({ from, to }) => ({ from: Math.min(from, size), to: Math.min(to, size) }))
    .filter(({ from, to }) => to > from);
}
