// Removes location data from a picture before it is stored, by its format's own structures, without decoding a pixel.
import { open } from "node:fs/promises";
import type { Blobs, Draft } from "../../../server/blobs/blobs.ts";
import { placesInAvif } from "./avif.ts";
import { type Edits, edited } from "./edits.ts";
import { FileBytes } from "./file-bytes.ts";
import { placesInJpeg } from "./jpeg.ts";
import { placesInPng } from "./png.ts";
import { placesInWebp } from "./webp.ts";

const placesIn: Readonly<Record<string, (file: FileBytes) => Promise<Edits>>> = {
  "image/jpeg": placesInJpeg,
  "image/png": placesInPng,
  "image/webp": placesInWebp,
  "image/avif": placesInAvif,
};

const bytesAtOnce = 64 * 1024;

/**
 * Returns a draft of the same picture without location data; undefined if it has none, or its format cannot hold any.
 * Throws TooOdd.
 */
export async function withoutPlace(
  blobs: Blobs,
  draft: Draft,
  contentType: string,
): Promise<Draft | undefined> {
  const places = placesIn[contentType];
  if (!places) return undefined;
  const handle = await open(draft.path, "r");
  try {
    const file = new FileBytes(handle, draft.size);
    const { list } = await places(file);
    if (list.length === 0) return undefined;
    const bare = await blobs.draft();
    try {
      await write(file, list, bare);
      return bare;
    } catch (error) {
      await bare.discard();
      throw error;
    }
  } finally {
    await handle.close();
  }
}

async function write(file: FileBytes, edits: Edits["list"], to: Draft): Promise<void> {
  for (const piece of edited(file.size, edits)) {
    if (piece instanceof Uint8Array) await to.write(piece);
    else
      for (let at = piece.from; at < piece.to; at += bytesAtOnce)
        await to.write(await file.at(at, Math.min(bytesAtOnce, piece.to - at)));
  }
}
