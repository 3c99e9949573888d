// The folder of kept pictures: what its files are called, and which of them are there.
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../server/config/config.ts";
import { type RasterFormat, rasterTypes } from "./raster.ts";

/** A kept picture. The file's time of change is when it was fetched, its time of access when it was last used. */
export interface PictureFile {
  format: RasterFormat;
  size: number;
  /** In milliseconds since 1970, as the next one. */
  fetchedAt: number;
  usedAt: number;
}

export function picturesFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "pictures");
}

/** The key is the SHA-256 of the picture's address: whoever sees the folder does not see what was looked at. */
export function filename(key: string, { format }: Pick<PictureFile, "format">): string {
  return `${key}.${format}`;
}

const named = new RegExp(`^([0-9a-f]{64})\\.(${Object.keys(rasterTypes).join("|")})$`);

/** Every picture in the folder with its key, in no order; other files are passed over. Throws when it cannot be read. */
export async function* picturesIn(folder: string): AsyncGenerator<[key: string, picture: PictureFile]> {
  for await (const { name } of await opendir(folder)) {
    const [, key, format] = named.exec(name) ?? [];
    const found = key === undefined ? undefined : await stat(join(folder, name)).catch(() => undefined);
    if (key === undefined || !found?.isFile()) continue;
    const { size, mtimeMs, atimeMs } = found;
    yield [key, { format: format as RasterFormat, size, fetchedAt: Math.round(mtimeMs), usedAt: atimeMs }];
  }
}
