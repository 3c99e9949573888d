// Removes files whose rows a crash prevented: nobody can request them, and no quota counts them.
import { Refusal } from "../../protocol/errors.ts";
import type { KeptBlob } from "../../server/blobs/blobs.ts";
import { markOf, movedKey } from "../../server/database/moved.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { madeAt } from "../../server/tokens.ts";
import { isFilename } from "./naming.ts";
import { selectKnown } from "./store.ts";

/** Age from which a file may be removed: its row is written within seconds, or never. */
const freshMs = 3600_000;
/** Files checked in one run of the job. */
const pieceLength = 200;

/** The iteration over the folder that is under way. */
const walks = perHouse<{ files: AsyncGenerator<KeptBlob> | undefined }>("queue", () => ({
  files: undefined,
}));

/**
 * The job: checks a piece of the folder. Returns whether there is more of it. An unavailable store, which has been
 * logged, is left alone until the next run.
 */
export async function sweepFiles(house: House): Promise<boolean> {
  try {
    return await sweepPiece(house);
  } catch (error) {
    stopSweep(house);
    if (error instanceof Refusal && error.code === "unavailable") return false;
    throw error;
  }
}

async function sweepPiece(house: House): Promise<boolean> {
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
  // A Hearth that has moved away does not know of later uploads into the same folder or store.
  if (leftOver.length > 0 && (await markOf(house.database.read, movedKey)) !== undefined) return false;
  let removed = 0;
  for (const name of leftOver) if (await removeLeftOver(house, name)) removed++;
  if (removed > 0) house.log.info({ files: removed }, "files that a crash had left behind were removed");
  return !isOver;
}

/** Returns false for a file that cannot be removed, while others can. Throws unavailable when none can. */
async function removeLeftOver(house: House, name: string): Promise<boolean> {
  try {
    await house.blobs.removeOwn(name);
    return true;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    house.log.warn({ file: name, err: error }, "a file that a crash had left behind cannot be removed");
    return false;
  }
}

/**
 * A file older than the database belongs to another database, which the operator may put back after noticing that the
 * wrong one is set. Only younger files may be removed.
 */
function maySweep(house: House, { name, writtenAt }: KeptBlob): boolean {
  return isFilename(name) && writtenAt < Date.now() - freshMs && writtenAt >= madeAt(house.epoch);
}

export function stopSweep(house: House): void {
  const walk = walks(house);
  void walk.files?.return(undefined);
  walk.files = undefined;
}
