// Stores a picture that was drawn: the files first, and then in one transaction the rows that make it somebody's.
import { randomBytes } from "node:crypto";
import type { Blobs } from "../../server/blobs/blobs.ts";
import { InDoubt } from "../../server/database/database.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { recordAvatar } from "../files/access.ts";
import { keepBytes } from "../files/keeping.ts";
import { avatarFilename } from "../files/naming.ts";
import { type AvatarSide, avatarSides } from "../files/picture-limits.ts";

/**
 * Stores the files under a new name, which `take` gives to the person, bot or server in the transaction that records
 * them. `ownerId`: the account that put the picture up.
 */
export async function keepPicture<T>(
  unit: UnitOfWork,
  ownerId: string,
  files: readonly Uint8Array[],
  take: (write: UnitOfWork, name: string) => Promise<T>,
): Promise<T> {
  const { blobs } = unit.house;
  // The name cannot be guessed, and tells nothing of the picture.
  const name = randomBytes(16).toString("hex");
  const sizes = new Map<AvatarSide, number>(avatarSides.map((side, i) => [side, files[i]?.byteLength ?? 0]));
  try {
    for (const [i, side] of avatarSides.entries())
      await keepBytes(blobs, avatarFilename(name, side), files[i] ?? new Uint8Array());
    return await unit.write(async (write) => {
      // The row of the person or server is locked first, as by everybody else who changes it.
      const taken = await take(write, name);
      await recordAvatar(write, ownerId, name, sizes);
      return taken;
    });
  } catch (error) {
    // When the commit is in doubt the rows may exist, so the files stay; a file without a row is swept.
    if (!(error instanceof InDoubt)) await removeFiles(blobs, name);
    throw error;
  }
}

async function removeFiles(blobs: Blobs, name: string): Promise<void> {
  for (const side of avatarSides) await blobs.remove(avatarFilename(name, side)).catch(() => {});
}
