// Detects whether a recording has a video track: the containers of films are used for sound alone, too.
import { type Box, boxesIn, type Extent } from "./location/boxes.ts";
import { type FileBytes, TooOdd } from "./location/file-bytes.ts";

const inBoxes = [
  ...["mp4", "m4v", "m4p", "f4v", "f4p", "3gp", "3g2", "mov"],
  ...["m4a", "m4b", "f4a", "f4b"],
];

/** Keyed by the names of file-type. */
const looks: Readonly<Record<string, (file: FileBytes) => Promise<boolean | undefined>>> = {
  ...Object.fromEntries(inBoxes.map((word) => [word, lookAtBoxes])),
  webm: lookAtElements,
};

/** Returns undefined if the file does not say, or is not such a container. */
export async function hasFilmTrack(found: string | undefined, file: FileBytes): Promise<boolean | undefined> {
  try {
    return await looks[found ?? ""]?.(file);
  } catch (error) {
    if (error instanceof TooOdd) return undefined;
    throw error;
  }
}

/** The path of boxes to the one that names the type of a track. */
const toHandler = ["moov", "trak", "mdia", "hdlr"];
/** Offset of the type in that box, after version, flags and a number: `vide`, `soun` or another. */
const handlerAt = 8;

async function lookAtBoxes(file: FileBytes): Promise<boolean | undefined> {
  let isSound: false | undefined;
  for await (const { content } of boxesAlong(file, { from: 0, to: file.size }, toHandler)) {
    const holds = (await file.at(content + handlerAt, 4)).toString("latin1");
    if (holds === "vide") return true;
    if (holds === "soun") isSound = false;
  }
  return isSound;
}

async function* boxesAlong(file: FileBytes, within: Extent, types: readonly string[]): AsyncGenerator<Box> {
  const [type, ...further] = types;
  for await (const box of boxesIn(file, within)) {
    if (box.type !== type) continue;
    if (further.length === 0) yield box;
    else yield* boxesAlong(file, { from: box.content, to: box.to }, further);
  }
}

/** The path of elements to the one with the type of a track, by their Matroska ids. */
const toTrackType = [0x18538067, 0x1654ae6b, 0xae, 0x83];
const trackTypes = { film: 1, sound: 2 };

async function lookAtElements(file: FileBytes): Promise<boolean | undefined> {
  let isSound: false | undefined;
  for await (const { from } of elementsAlong(file, { from: 0, to: file.size }, toTrackType)) {
    const [holds] = await file.at(from, 1);
    if (holds === trackTypes.film) return true;
    if (holds === trackTypes.sound) isSound = false;
  }
  return isSound;
}

async function* elementsAlong(
  file: FileBytes,
  within: Extent,
  ids: readonly number[],
): AsyncGenerator<Extent> {
  const [id, ...further] = ids;
  for (let at = within.from; at < within.to; ) {
    file.count();
    const element = await elementAt(file, at, within.to);
    if (!element) return;
    if (element.id === id) {
      if (further.length === 0) yield element;
      else yield* elementsAlong(file, element, further);
    }
    at = element.to;
  }
}

/** Reads the header of an element; one of unknown length, as in a live recording, extends to the end. */
async function elementAt(
  file: FileBytes,
  at: number,
  end: number,
): Promise<(Extent & { id: number }) | undefined> {
  const head = Buffer.from(await file.at(at, 12));
  const idBytes = Math.clz32(head[0] ?? 0) - 23;
  const sizeBytes = Math.clz32(head[idBytes] ?? 0) - 23;
  if (idBytes > 4 || sizeBytes > 8 || head.length < idBytes + sizeBytes) return undefined;
  let size = (head[idBytes] ?? 0) & (0xff >> sizeBytes);
  let isUnknown = size === 0xff >> sizeBytes;
  for (const byte of head.subarray(idBytes + 1, idBytes + sizeBytes)) {
    size = size * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  const from = at + idBytes + sizeBytes;
  return { id: head.readUIntBE(0, idBytes), from, to: isUnknown ? end : Math.min(end, from + size) };
}
