// The doctor's check of the picture cache.
import { accessSync, constants, existsSync } from "node:fs";
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, reason } from "../../server/house/check.ts";
import { picturesFolder, picturesIn } from "./folder.ts";

const mebibyte = 1024 * 1024;

/** True if pictures of other hosts can be cached. They are in no backup, and may be deleted at any time. */
export async function checkPictures(config: Config): Promise<Finding> {
  const about = "pictures";
  if (config.picturesBytes === 0)
    return finding(about, "off", "None of other hosts are kept (PICTURES_MIB): each is fetched anew.");
  const folder = picturesFolder(config);
  if (!existsSync(folder)) return finding(about, "ok", "None of other hosts are kept yet.");
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const sizes = (await Array.fromAsync(picturesIn(folder))).map(([, { size }]) => size);
    const held = (sizes.reduce((sum, size) => sum + size, 0) / mebibyte).toFixed(1);
    const most = config.picturesBytes / mebibyte;
    return finding(about, "ok", `${sizes.length} of other hosts are kept, ${held} MiB of at most ${most}.`);
  } catch (error) {
    const says = `${folder} cannot be used, so each picture is fetched anew: ${reason(error)}.`;
    return finding(about, "note", says);
  }
}
