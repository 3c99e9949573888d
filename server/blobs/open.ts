// Opens the store for uploads that the settings name; only the code of that store is loaded.
import { join } from "node:path";
import { CannotStart } from "../cannot-start.ts";
import type { Config } from "../config/config.ts";
import { StorageFault } from "../database/write-gate.ts";
import type { Blobs, KeptBlobs } from "./blobs.ts";
import { keptOnDisk, openDisk } from "./disk.ts";
import type { Clocks } from "./s3-objects.ts";

/** The folder of uploads; with an S3 store it holds only drafts. */
export function uploadsFolder({ dataDir }: Config): string {
  return join(dataDir, "uploads");
}

/**
 * Opens the store for uploads. `owner` names this Hearth to the store, `clocks` are the time limits of requests to it.
 * Throws CannotStart when the folder cannot be used, or the store rejects the settings.
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

/** Read access to the uploads, whether or not the folder exists. With an S3 store, all methods throw S3Fault. */
export async function keptUploads(config: Config): Promise<KeptBlobs> {
  if (!config.s3) return keptOnDisk(uploadsFolder(config));
  const { S3Objects } = await import("./s3-objects.ts");
  return new S3Objects(config.s3);
}
