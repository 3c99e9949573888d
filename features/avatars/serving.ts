// The answer with an own picture, for anybody who knows its name.
import { notFound } from "../../protocol/errors.ts";
import type { StoredBlob } from "../../server/blobs/blobs.ts";
import type { House } from "../../server/house/house.ts";
import { Bytes, isKnown, notModified, Reply } from "../../server/house/reply.ts";
import { avatarFilename } from "../files/naming.ts";
import { type AvatarSide, avatarSides } from "../files/picture-limits.ts";

/** The size of a picture whose address names none. */
const usual: AvatarSide = 256;

/**
 * Returns the picture at `/avatars/<file>`; throws 404 without one. Its name is random and too long to guess, so that a
 * caller who knows one is no stranger who tries names.
 */
export async function findPicture(house: House, file: string): Promise<StoredBlob> {
  const [, name = "", given] = /^([0-9a-f]{32})(?:-([0-9]+))?\.webp$/.exec(file) ?? [];
  const side = avatarSides.find((each) => String(each) === given) ?? usual;
  const blob = await house.blobs.find(avatarFilename(name, side));
  if (!blob) throw notFound();
  return blob;
}

/** A picture is sent whole, as it is small: the runtime would cut parts of a file out of it by itself. */
export async function pictureAnswer(file: string, blob: StoredBlob, asked: Headers): Promise<Reply> {
  const etag = `"${file}"`;
  const headers = {
    ETag: etag,
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Disposition": "inline",
    // A picture opened as a page can run nothing.
    "Content-Security-Policy": "default-src 'none'; sandbox",
    // Pages of other origins showed the pictures of the avatar service, too.
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  if (isKnown(asked, etag)) return notModified(headers);
  const bytes = new Uint8Array(await new Response(blob.bytes()).arrayBuffer());
  return new Reply(new Bytes(bytes, "image/webp"), 200, headers);
}
