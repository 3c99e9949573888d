// Removes the location data from a picture, as an upload does.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutPlace } from "../../../features/files/location/removing.ts";
import { openDisk } from "../../../server/blobs/disk.ts";
import { temporaryFolder } from "../machine/folder.ts";

/** Opens an upload folder. `bare` returns the picture as it would be stored; undefined if that is the original. */
export async function openBaring() {
  const folder = temporaryFolder();
  const disk = await openDisk(join(folder.path, "uploads"), 0);
  return {
    async bare(format: string, bytes: Uint8Array): Promise<Buffer | undefined> {
      const draft = await disk.draft();
      try {
        await draft.write(bytes);
        const bare = await withoutPlace(disk, draft, `image/${format}`);
        const left = bare && readFileSync(bare.path);
        await bare?.discard();
        return left;
      } finally {
        await draft.discard();
      }
    },
    close() {
      disk.close();
      folder.remove();
    },
  };
}
