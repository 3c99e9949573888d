// Raster picture formats: every browser draws them, and they contain no markup or scripts. The page uses this file, too.

export const rasterTypes = {
  jpg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
} as const;

export type RasterFormat = keyof typeof rasterTypes;

/** Bytes read of an AVIF's first box: room for more brands than any encoder writes. */
const mostBrands = 256;

/** Returns the format by the first bytes of the content; undefined for everything else. */
export function rasterFormatOf(bytes: Uint8Array): RasterFormat | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, mostBrands));
  if (start.startsWith("\xff\xd8\xff")) return "jpg";
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "gif";
  if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) return "webp";
  if (start.startsWith("ftyp", 4) && isAvif(start)) return "avif";
  return undefined;
}

/** True if a brand in the first box of an ISO media file, the major one or a compatible one, is AVIF's. */
function isAvif(start: string): boolean {
  const [majorAt, compatibleFrom] = [8, 16];
  const end = [0, 1, 2, 3].reduce((sum, at) => sum * 256 + start.charCodeAt(at), 0);
  for (const at of [majorAt, ...brandsFrom(compatibleFrom, Math.min(end, start.length))]) {
    if (start.startsWith("avif", at) || start.startsWith("avis", at)) return true;
  }
  return false;
}

function* brandsFrom(first: number, end: number): Generator<number> {
  for (let at = first; at + 4 <= end; at += 4) yield at;
}
