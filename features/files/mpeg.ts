// Detects MP3 (MPEG layer III) whose first frame is not at the beginning: recorders cut a stream anywhere, and programs
// leave padding after an ID3 tag.
import type { FileBytes } from "./location/file-bytes.ts";

/** How far after the ID3 tag a frame is searched for, in bytes. */
const within = 4096;
/**
 * Frames in a row that are required: any bytes look like the header of a frame once in a while, but not several times,
 * each where the frame before ends.
 */
const inARow = 3;
const headBytes = 4;
const mostFrameBytes = 1441;

export async function hasFrames(file: FileBytes): Promise<boolean> {
  const bytes = await file.at(await behindNames(file), within + inARow * mostFrameBytes);
  for (let at = bytes.indexOf(0xff); at >= 0 && at < within; at = bytes.indexOf(0xff, at + 1))
    if (isRow(bytes, at)) return true;
  return false;
}

/** Returns the end of the ID3 tag before the sound: its length is stored in four times seven bits. */
async function behindNames(file: FileBytes): Promise<number> {
  const head = await file.at(0, 10);
  if (head.toString("latin1", 0, 3) !== "ID3") return 0;
  return head.subarray(6).reduce((length, bits) => length * 128 + (bits & 0x7f), 0) + head.length;
}

function isRow(bytes: Buffer, start: number): boolean {
  let at = start;
  for (let left = inARow; left > 0; left--) {
    const length = frameLength(bytes.subarray(at, at + headBytes));
    if (length === undefined) return false;
    at += length;
  }
  return true;
}

/** Bit rates in kilobits per second, by index; 0 (any rate) and 15 give no length. */
const rates = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  later: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const samples = [44_100, 48_000, 32_000];
/** The divisor of the sample rate, by the version of the standard. */
const slower: Readonly<Record<number, number>> = { 3: 1, 2: 2, 0: 4 };

/** Returns the length of the frame with this header, in bytes; undefined if it is not a header. */
function frameLength(head: Buffer): number | undefined {
  const [first = 0, second = 0, third = 0] = head;
  const isLayerThree = first === 0xff && (second & 0xe6) === 0xe2;
  const version = (second >> 3) & 3;
  const by = slower[version];
  const rate = (by === 1 ? rates.first : rates.later)[third >> 4];
  const hertz = samples[(third >> 2) & 3];
  if (!isLayerThree || head.length < headBytes || !by || !rate || !hertz) return undefined;
  return Math.floor(((by === 1 ? 144 : 72) * 1000 * rate * by) / hertz) + ((third >> 1) & 1);
}
