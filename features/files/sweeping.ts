// Removes files whose row a crash prevented: nobody can ask for them, and no quota counts them.
import type { KeptBlob } from "../../server/blobs/blobs.ts";
import { markOf, movedKey } from "../../server/database/moved.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { madeAt } from "../../server/tokens.ts";
import { isFilename } from "./naming.ts";
import { selectKnown } from "./store.ts";

/** The row of a file is written within seconds, or never. */
const freshMs = 3600_000;
/** Files looked at in one run of the job. */
const pieceLength = 200;

/** The current walk through the folder. */
const walks = perHouse<{ files: AsyncGenerator<KeptBlob> | undefined }>("queue", () => ({
  files: undefined,
}));

/** The job: looks at a piece of the folder. Returns whether there is more of it. */
export async function sweepFiles(house: House): Promise<boolean> {
  const walk = walks(house);
  walk.files ??= house.blobs.all();
  const suspects: string[] = [];
  let isOver = false;
  for (let looked = 0; looked < pieceLength && !isOver; looked++) {
    const { done, value } = await walk.files.next();
    if (done) isOver = true;
    else if (maySweep(house, value)) suspects.push(value.name);
  }
  if (isOver) walk.files = undefined;
  const known = await selectKnown(house.database.read, suspects);
  const leftOver = suspects.filter((name) => !known.has(name));
  // A Hearth that has moved away does not know what was uploaded since, into the same folder or store.
  if (leftOver.length > 0 && (await markOf(house.database.read, movedKey)) !== undefined) return false;
  for (const name of leftOver) await house.blobs.removeOwn(name);
  if (leftOver.length > 0)
    house.log.info({ files: leftOver.length }, "files that a crash had left behind were removed");
  return !isOver;
}

/**
 * A file older than the database belongs to another database, which the operator may put back after noticing that the
 * wrong one is set. Only younger files may be removed.
 */
function maySweep(house: House, { name, writtenAt }: KeptBlob): boolean {
  return isFilename(name) && writtenAt < Date.now() - freshMs && writtenAt >= madeAt(house.epoch);
}

export function stopSweep(house: House): void {
  void walks(house).files?.return(undefined);
}
