// The folder of the picture cache: file names and listing.
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type RasterFormat, rasterTypes } from "../../protocol/raster.ts";
import type { Config } from "../../server/config/config.ts";

/** A cached picture. The file's mtime is when it was fetched, its atime when it was last used. */
export interface PictureFile {
  format: RasterFormat;
  size: number;
  /** In milliseconds since 1970, like `usedAt`. */
  fetchedAt: number;
  usedAt: number;
}

export function picturesFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "pictures");
}

/** The key is the SHA-256 of the picture's URL, so the folder does not reveal what was viewed. */
export function filename(key: string, { format }: Pick<PictureFile, "format">): string {
  return `${key}.${format}`;
}

const named = new RegExp(`^([0-9a-f]{64})\\.(${Object.keys(rasterTypes).join("|")})$`);

/** Yields the pictures in the folder with their keys, unordered; skips other files. Throws if it is unreadable. */
export async function* picturesIn(folder: string): AsyncGenerator<[key: string, picture: PictureFile]> {
  for await (const { name } of await opendir(folder)) {
    const [, key, format] = named.exec(name) ?? [];
    const found = key === undefined ? undefined : await stat(join(folder, name)).catch(() => undefined);
    if (key === undefined || !found?.isFile()) continue;
    const { size, mtimeMs, atimeMs } = found;
    yield [key, { format: format as RasterFormat, size, fetchedAt: Math.round(mtimeMs), usedAt: atimeMs }];
  }
}
