// The subset of the tar format that a backup needs: plain files in sequence, each after a header with its name and
// size.
//
// Writing is ustar, with a pax header for the size of a file of 8 GiB and more, so that every `tar` opens it. Reading
// accepts exactly what is written here and nothing else: no links, no folders, no other spelling of the same header,
// and only zeros between files. So no byte of an archive can change unnoticed.

export interface TarEntry {
  name: string;
  size: number;
  /** Must be read to its end before the next entry is requested. */
  bytes: AsyncIterable<Uint8Array>;
}

/** Thrown for a file that is not an archive of ours, or is damaged. The message is a part of a sentence. */
export class DamagedArchive extends Error {
  override name = "DamagedArchive";
}

const block = 512;
const largestOctal = 8 ** 11 - 1;
/** The end of an archive: two empty blocks. */
export const tarEnd: Uint8Array = new Uint8Array(2 * block);
const paxName = "pax";
const nameBytes = 100;
const longestPax = 64;

/** Returns the blocks before the content of a file. `modifiedAt` is in seconds since 1970. */
export function tarHeader(name: string, size: number, modifiedAt: number): Buffer {
  if (size <= largestOctal) return ustar(name, size, modifiedAt, "0");
  const record = paxSize(size);
  const pax = ustar(paxName, record.length, modifiedAt, "x");
  return Buffer.concat([pax, record, padding(record.length), ustar(name, 0, modifiedAt, "0")]);
}

/** Returns the zeros that fill the last block after the content of a file. */
export function padding(size: number): Uint8Array {
  return new Uint8Array((block - (size % block)) % block);
}

/** Throws DamagedArchive at the first byte that this program would not have written, also when the end is missing. */
export async function* tarEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const input = new Input(source);
  for (;;) {
    const head = await input.take(block);
    if (head.every((byte) => byte === 0)) {
      await expectEnd(input);
      return;
    }
    const { name, size } = await headerFrom(head, input);
    yield { name, size, bytes: input.stream(size) };
    const between = await input.take(padding(size).length);
    if (between.some((byte) => byte !== 0)) throw new DamagedArchive(`what follows ${name} is not empty`);
  }
}

async function headerFrom(head: Buffer, input: Input): Promise<{ name: string; size: number }> {
  const modifiedAt = octalAt(head, 136, 12);
  let last = head;
  let size = octalAt(head, 124, 12);
  const seen = [head];
  if (textAt(head, 0, nameBytes) === paxName && size <= longestPax) {
    const record = await input.take(size);
    seen.push(record, await input.take(padding(size).length));
    size = Number(/^\d+ size=(\d+)\n$/.exec(record.toString("latin1"))?.[1] ?? -1);
    last = await input.take(block);
    seen.push(last);
  }
  const name = textAt(last, 0, nameBytes);
  const isOurs =
    Number.isSafeInteger(size) && size >= 0 && Number.isSafeInteger(modifiedAt) && /^[\w./-]+$/.test(name);
  if (!isOurs || !tarHeader(name, size, modifiedAt).equals(Buffer.concat(seen)))
    throw new DamagedArchive("a header in it is not as it was written");
  return { name, size };
}

async function expectEnd(input: Input): Promise<void> {
  const second = await input.take(block);
  if (second.some((byte) => byte !== 0)) throw new DamagedArchive("its end is not as it was written");
  for await (const bytes of input.rest())
    if (bytes.some((byte) => byte !== 0)) throw new DamagedArchive("something follows its end");
}

function ustar(name: string, size: number, modifiedAt: number, type: "0" | "x"): Buffer {
  if (Buffer.byteLength(name) > nameBytes) throw new Error(`${name} is too long for an archive`);
  const head = Buffer.alloc(block);
  head.write(name, 0, "utf8");
  head.write("0000600\0" + "0000000\0" + "0000000\0", 100, "latin1");
  head.write(`${octal(size, 11)}\0${octal(modifiedAt, 11)}\0`, 124, "latin1");
  head.write(`        ${type}`, 148, "latin1");
  head.write("ustar\x0000", 257, "latin1");
  // The sum of all bytes of the header, with the checksum's own eight counted as blanks.
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${octal(sum, 6)}\0 `, 148, "latin1");
  return head;
}

/** Returns a pax record: its first number is the length of the whole line, including that number. */
function paxSize(size: number): Buffer {
  const rest = ` size=${size}\n`;
  let length = rest.length + 1;
  while (`${length}${rest}`.length !== length) length++;
  return Buffer.from(`${length}${rest}`, "latin1");
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function octalAt(head: Buffer, start: number, length: number): number {
  const text = textAt(head, start, length);
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : -1;
}

function textAt(head: Buffer, start: number, length: number): string {
  return head.toString("latin1", start, start + length).replace(/\0.*/s, "");
}

/** Reads any number of bytes, however the pieces arrive. */
class Input {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.stream(length)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *stream(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (this.#held.length === 0 && !(await this.#more()))
        throw new DamagedArchive("it ends too early: a part of it is missing");
      const part = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    do {
      if (this.#held.length > 0) yield this.#held;
    } while (await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    this.#held = done ? new Uint8Array(0) : value;
    return !done;
  }
}
