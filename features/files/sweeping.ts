// Removes files that were kept while a crash prevented their row: nobody can ask for them, and nothing counts them.
import type { KeptBlob } from "../../server/blobs/blobs.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { madeAt } from "../../server/tokens.ts";
import { isFilename } from "./naming.ts";
import { selectKnown } from "./store.ts";

/** The row of a file comes within seconds, or never. */
const freshMs = 3600_000;
/** So many files are looked at in one go. */
const pieceLength = 200;

/** How far the present walk through the folder has come. */
const walks = perHouse<{ files: AsyncGenerator<KeptBlob> | undefined }>(() => ({ files: undefined }));

/** The recurring one: a piece of the folder. Answers whether there is more of it. */
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
  for (const name of leftOver) await house.blobs.remove(name);
  if (leftOver.length > 0)
    house.log.info({ files: leftOver.length }, "files that a crash had left behind were removed");
  return !isOver;
}

/**
 * Only files that this very database can have lost the row of: those that are older than it belong to another one, to
 * which the folder may be given back when somebody notices that the wrong one is set.
 */
function maySweep(house: House, { name, writtenAt }: KeptBlob): boolean {
  return isFilename(name) && writtenAt < Date.now() - freshMs && writtenAt >= madeAt(house.epoch);
}

export function stopSweep(house: House): void {
  void walks(house).files?.return(undefined);
}
