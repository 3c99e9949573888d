// A picture that was chosen, dropped or pasted, looked at before it is sent.
import { limits } from "../../../protocol/limits.ts";
import { rasterFormatOf } from "../../../protocol/raster.ts";
import { least, type Sides } from "./square.ts";

export interface Chosen extends Sides {
  file: Blob;
  /** An address of the picture for this page alone; `forget` ends it. */
  src: string;
  forget(): void;
}

type Why = { why: "large" | "vast" | "unreadable" } | ({ why: "small" } & Sides);

/** Why a file cannot be taken, and the file's name. */
export type Unfit = { name: string } & Why;

/** Bytes at the beginning of a file by which its format is known. */
const headBytes = 256;

export async function choose(file: File): Promise<Chosen | Unfit> {
  const { name } = file;
  if (file.size > limits.avatar_bytes_max) return { name, why: "large" };
  const src = URL.createObjectURL(file);
  const forget = () => URL.revokeObjectURL(src);
  try {
    const sides = await sidesOf(file, src);
    const unfit = await unfitOf(file, sides);
    if (!unfit) return { file, src, ...sides, forget };
    forget();
    return { name, ...unfit };
  } catch {
    forget();
    return { name, why: "unreadable" };
  }
}

/** Throws if the file is no picture that the server takes: an `Image` also takes markup. */
async function sidesOf(file: File, src: string): Promise<Sides> {
  const head = await file.slice(0, headBytes).arrayBuffer();
  if (!rasterFormatOf(new Uint8Array(head))) throw new Error("no picture that the server takes");
  const picture = new Image();
  await new Promise((resolve, reject) => {
    picture.onload = resolve;
    picture.onerror = reject;
    picture.src = src;
  });
  // The browser applies the orientation, as the server does.
  return { width: picture.naturalWidth, height: picture.naturalHeight };
}

/** Throws if the browser cannot decode the file: an `Image` shows what is there of a broken picture. */
async function unfitOf(file: File, sides: Sides): Promise<Why | undefined> {
  const { width, height } = sides;
  // Decoded, it would take half a gigabyte.
  if (width * height > limits.avatar_pixels_max) return { why: "vast" };
  (await createImageBitmap(file)).close();
  return Math.min(width, height) < least ? { why: "small", ...sides } : undefined;
}

/** Returns the first picture in what was dropped or pasted, or else the first file, which is then refused by its name. */
export function fileIn(data: DataTransfer | null): File | undefined {
  const files = [...(data?.files ?? [])];
  return files.find(({ type }) => type.startsWith("image/")) ?? files[0];
}
