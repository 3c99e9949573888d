// Detects whether a picture may be animated, by its format's own structures, without decoding a pixel.
import { isGif } from "./kinds.ts";
import { boxesIn, contentOf } from "./location/boxes.ts";
import type { FileBytes } from "./location/file-bytes.ts";

const looks: Readonly<Record<string, (file: FileBytes) => Promise<boolean>>> = {
  "image/webp": isMovingWebp,
  "image/png": isMovingPng,
  "image/avif": isMovingAvif,
};

/** Throws TooOdd. */
export async function mayMove(contentType: string, file: FileBytes): Promise<boolean> {
  return isGif(contentType) || ((await looks[contentType]?.(file)) ?? false);
}

/** The first chunk of a WebP that is more than one still image says what the file contains. */
const webpChunk = { at: 12, type: "VP8X", flagsAt: 20, moves: 0x02 };

async function isMovingWebp(file: FileBytes): Promise<boolean> {
  const head = await file.at(0, webpChunk.flagsAt + 1);
  const type = head.toString("latin1", webpChunk.at, webpChunk.at + 4);
  return type === webpChunk.type && ((head[webpChunk.flagsAt] ?? 0) & webpChunk.moves) !== 0;
}

const pngSignatureBytes = 8;
/** Length and type of a chunk, and the checksum behind its content. */
const pngChunkBytes = 12;

async function isMovingPng(file: FileBytes): Promise<boolean> {
  for (let at = pngSignatureBytes; ; ) {
    file.count();
    const head = await file.at(at, 8);
    const type = head.toString("latin1", 4, 8);
    if (type === "acTL") return true;
    // If the chunk comes after the first image, browsers show that image alone.
    if (head.length < 8 || type === "IDAT") return false;
    at += pngChunkBytes + head.readUInt32BE(0);
  }
}

async function isMovingAvif(file: FileBytes): Promise<boolean> {
  for await (const box of boxesIn(file, { from: 0, to: file.size }))
    return box.type === "ftyp" && brandsIn(await contentOf(file, box)).includes("avis");
  return false;
}

/** Returns the major brand, a version, and the compatible brands: four letters each. */
function brandsIn(content: Buffer): string[] {
  const letters = content.toString("latin1");
  return letters.match(/.{4}/gs) ?? [];
}
