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

/** Why a file cannot be taken, and the file's name. */
export type Unfit = { name: string } & ({ why: "large" | "unreadable" } | ({ why: "small" } & Sides));

/** Bytes at the beginning of a file by which its format is known. */
const headBytes = 256;

export async function choose(file: File): Promise<Chosen | Unfit> {
  const { name } = file;
  if (file.size > limits.avatar_bytes_max) return { name, why: "large" };
  const src = URL.createObjectURL(file);
  const forget = () => URL.revokeObjectURL(src);
  const picture = new Image();
  picture.src = src;
  try {
    if (!(await isWhole(file))) throw new Error("no picture that the server takes");
    await picture.decode();
  } catch {
    forget();
    return { name, why: "unreadable" };
  }
  // The browser applies the orientation, as the server does.
  const { naturalWidth: width, naturalHeight: height } = picture;
  if (Math.min(width, height) >= least) return { file, src, width, height, forget };
  forget();
  return { name, why: "small", width, height };
}

/**
 * Returns whether the server can read the file: an `Image` also takes markup, and what is there of a broken picture.
 * Throws if the browser cannot decode the file.
 */
async function isWhole(file: File): Promise<boolean> {
  const head = await file.slice(0, headBytes).arrayBuffer();
  if (!rasterFormatOf(new Uint8Array(head))) return false;
  (await createImageBitmap(file)).close();
  return true;
}

/** Returns the first picture in what was dropped or pasted, or else the first file, which is then refused by its name. */
export function fileIn(data: DataTransfer | null): File | undefined {
  const files = [...(data?.files ?? [])];
  return files.find(({ type }) => type.startsWith("image/")) ?? files[0];
}
