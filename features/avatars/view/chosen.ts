// A picture that was chosen, dropped or pasted, looked at before it is sent.
import { limits } from "../../../protocol/limits.ts";
import { least, type Sides } from "./square.ts";

export interface Chosen extends Sides {
  file: Blob;
  /** An address of the picture for this page alone; `forget` ends it. */
  src: string;
  forget(): void;
}

/** Why a file cannot be taken. */
export type Unfit = { why: "large" | "unreadable" } | ({ why: "small" } & Sides);

export async function choose(file: Blob): Promise<Chosen | Unfit> {
  if (file.size > limits.avatar_bytes_max) return { why: "large" };
  const src = URL.createObjectURL(file);
  const forget = () => URL.revokeObjectURL(src);
  const picture = new Image();
  picture.src = src;
  try {
    await picture.decode();
  } catch {
    forget();
    return { why: "unreadable" };
  }
  // The browser applies the orientation, as the server does.
  const { naturalWidth: width, naturalHeight: height } = picture;
  if (Math.min(width, height) >= least) return { file, src, width, height, forget };
  forget();
  return { why: "small", width, height };
}

/** Returns the first picture in what was dropped or pasted. */
export function pictureIn(data: DataTransfer | null): File | undefined {
  return [...(data?.files ?? [])].find(({ type }) => type.startsWith("image/"));
}
