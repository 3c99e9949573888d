// Parses boxes of the ISO base media format, which AVIF uses, and the list of items in them.
import type { FileBytes } from "./file-bytes.ts";

export interface Box {
  type: string;
  from: number;
  /** Offset of the content. */
  content: number;
  to: number;
  /** False if its length exceeds the box or file around it. */
  isWhole: boolean;
}

/** A range of the file, `to` excluded. */
export interface Extent {
  from: number;
  to: number;
}

export interface Item {
  id: number;
  type: string;
  /** Offset of the type in the file. */
  typeAt: number;
  /** The media type of an item of the type `mime`. */
  mediaType: string;
}

/** Most bytes of a list that are read: that of a picture with a thousand tiles has some thirty kilobytes. */
const mostListBytes = 256 * 1024;
/** Most extents of items that are read: those of no bytes cost the file nothing, so it may list any number. */
const mostExtents = 50_000;
const headBytes = 8;
const longHeadBytes = 16;

/** Yields the boxes in this range; stops at anything that is not a box. Throws TooOdd. */
export async function* boxesIn(file: FileBytes, { from, to }: Extent): AsyncGenerator<Box> {
  for (let at = from; at + headBytes <= to; ) {
    file.count();
    const head = await file.at(at, longHeadBytes);
    if (head.length < headBytes) return;
    const said = head.readUInt32BE(0);
    const isLong = said === 1 && head.length === longHeadBytes;
    const length = said === 0 ? to - at : isLong ? Number(head.readBigUInt64BE(8)) : said;
    const content = at + (isLong ? longHeadBytes : headBytes);
    if (at + length < content) return;
    const type = head.toString("latin1", 4, 8);
    const end = Math.min(at + length, to);
    yield { type, from: at, content, to: end, isWhole: at + length <= to };
    at = end;
  }
}

export async function contentOf(file: FileBytes, { content, to }: Box): Promise<Buffer> {
  return Buffer.from(await file.at(content, Math.min(to - content, mostListBytes)));
}

/** Returns the items listed in a box `iinf`; `at` is the offset of its content in the file. */
export function itemsIn(content: Buffer, at: number): Item[] {
  const items: Item[] = [];
  const list = new Numbers(content);
  const version = list.next(1);
  list.skip(3);
  list.next(version === 0 ? 2 : 4);
  while (list.left >= headBytes) {
    const start = list.at;
    const length = list.next(4);
    if (length < headBytes) break;
    const item = itemIn(content.subarray(start + headBytes, start + length), at + start + headBytes);
    if (item) items.push(item);
    list.skip(length - 4);
  }
  return items;
}

/** Parses an entry of the list; undefined for one of an old version, which has no type. */
function itemIn(entry: Buffer, at: number): Item | undefined {
  const numbers = new Numbers(entry);
  const version = numbers.next(1);
  if (version < 2) return undefined;
  numbers.skip(3);
  const id = numbers.next(version === 2 ? 2 : 4);
  numbers.skip(2);
  const typeAt = numbers.at;
  const type = entry.toString("latin1", typeAt, typeAt + 4);
  const [, mediaType = ""] = entry.toString("latin1", typeAt + 4, typeAt + 4 + 256).split("\0");
  return { id, type, typeAt: at + typeAt, mediaType };
}

/**
 * Returns the extents of the items with these ids, from a box `iloc`. `data` is the offset of the content of the box
 * `idat`, which may hold items as well.
 */
export function locationsIn(
  content: Buffer,
  ids: ReadonlySet<number>,
  data: number | undefined,
): ReadonlyMap<number, Extent[]> {
  const found = new Map<number, Extent[]>();
  const list = new Numbers(content);
  const version = list.next(1);
  list.skip(3);
  const [sizes, more] = [list.next(1), list.next(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version === 0 ? 0 : more & 15;
  let looks = 0;
  for (let left = list.next(version < 2 ? 2 : 4); left > 0 && list.left > 0; left--) {
    const id = list.next(version < 2 ? 2 : 4);
    const start = [0, data][version === 0 ? 0 : list.next(2) & 15];
    list.skip(2);
    const base = list.next(baseBytes) + (start ?? 0);
    const extents: Extent[] = [];
    for (let i = list.next(2); i > 0 && looks < mostExtents; i--, looks++) {
      list.skip(indexBytes);
      const from = base + list.next(offsetBytes);
      const to = from + list.next(lengthBytes);
      if (to > from) extents.push({ from, to });
    }
    if (ids.has(id) && start !== undefined) found.set(id, extents);
  }
  return found;
}

/** Reads numbers in sequence, big-endian; past the end all are 0. */
class Numbers {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return Math.max(0, this.#bytes.length - this.at);
  }

  next(bytes: number): number {
    let value = 0;
    for (let i = 0; i < bytes; i++) value = value * 256 + (this.#bytes[this.at + i] ?? 0);
    this.at += bytes;
    return value;
  }

  skip(bytes: number): void {
    this.at += bytes;
  }
}
