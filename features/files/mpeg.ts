// Looks for sound in MPEG's layer III where its first frame does not stand at the beginning: recorders cut a stream
// anywhere, and behind a list of names (ID3) programs leave room.
import type { FileBytes } from "./location/file-bytes.ts";

/** So far behind the names a frame is looked for. */
const within = 4096;
/** Any bytes look like the head of a frame once in a while; like several, each where the one before it ends, they do not. */
const inARow = 3;
const headBytes = 4;
const mostFrameBytes = 1441;

export async function hasFrames(file: FileBytes): Promise<boolean> {
  const bytes = await file.at(await behindNames(file), within + inARow * mostFrameBytes);
  for (let at = bytes.indexOf(0xff); at >= 0 && at < within; at = bytes.indexOf(0xff, at + 1))
    if (isRow(bytes, at)) return true;
  return false;
}

/** Returns where the names end that stand before the sound: their length is told in four times seven bits. */
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

/** In kilobits a second, by their index; of 0, which is any, and of 15 there is no length. */
const rates = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  later: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const samples = [44_100, 48_000, 32_000];
/** Of the versions of the standard: by how much fewer samples it has a second. */
const slower: Readonly<Record<number, number>> = { 3: 1, 2: 2, 0: 4 };

/** Returns how long the frame is that begins so; undefined for what begins none. */
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
