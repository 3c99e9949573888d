// Where uploads are kept, by the settings; only the code of that is loaded.
import { join } from "node:path";
import { CannotStart } from "../cannot-start.ts";
import type { Config } from "../config/config.ts";
import { StorageFault } from "../database/write-gate.ts";
import type { Blobs, KeptBlobs } from "./blobs.ts";
import { keptOnDisk, openDisk } from "./disk.ts";
import type { Clocks } from "./s3-objects.ts";

/** The folder of uploads; of their drafts only, where there is an S3 store. */
export function uploadsFolder({ dataDir }: Config): string {
  return join(dataDir, "uploads");
}

/**
 * `owner` names this Hearth to the store, `clocks` are for what is asked of the store. Throws CannotStart when the folder
 * cannot be used, or the store refuses what the settings say.
 */
export async function openBlobs(
  config: Config,
  owner?: string,
  clocks?: Clocks & { betweenTrialsMs: number },
): Promise<Blobs> {
  const disk = await openFolder(config);
  if (!config.s3) return disk;
  try {
    const { S3Objects } = await import("./s3-objects.ts");
    const { openS3 } = await import("./s3.ts");
    return await openS3(new S3Objects(config.s3, clocks), disk, owner, clocks?.betweenTrialsMs);
  } catch (error) {
    disk.close();
    if (error instanceof StorageFault)
      throw new CannotStart(`Uploads cannot be kept (S3_URL): ${error.message}.`, { cause: error });
    throw error;
  }
}

/** Throws CannotStart when the folder cannot be used. */
export async function openFolder(config: Config): Promise<Blobs> {
  const folder = uploadsFolder(config);
  try {
    return await openDisk(folder);
  } catch (error) {
    throw new CannotStart(
      `The folder of uploads ${folder} (in DATA_DIR) cannot be used: ${(error as Error).message}.`,
    );
  }
}

/** The uploads to be read only, whether the folder is there or not. Of a store, all methods throw S3Fault. */
export async function keptUploads(config: Config): Promise<KeptBlobs> {
  if (!config.s3) return keptOnDisk(uploadsFolder(config));
  const { S3Objects } = await import("./s3-objects.ts");
  return new S3Objects(config.s3);
}
