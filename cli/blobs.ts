// `hearth blobs copy --to s3|disk`: copies a Hearth's uploads to another place, while it runs, and repeatedly if
// needed.
import { setPriority } from "node:os";
import type { Blobs, KeptBlobs } from "../server/blobs/blobs.ts";
import { keptOnDisk } from "../server/blobs/disk.ts";
import { keptUploads, openBlobs, openFolder, uploadsFolder } from "../server/blobs/open.ts";
import { CannotStart } from "../server/cannot-start.ts";
import type { Config } from "../server/config/config.ts";
import { reason } from "../server/house/check.ts";
import { mustExist } from "./admin.ts";
import { uploadsInWords } from "./archive/head.ts";
import { copiesOf, engineOf } from "./copies/open.ts";
import { type Copied, copyBlobs } from "./copy-blobs.ts";
import { Misunderstood } from "./words.ts";

const lessUrgent = 10;
const tellEveryMs = 5000;

export async function blobs(
  words: readonly string[],
  to: string | undefined,
  config: Config,
): Promise<number> {
  if (words.join(" ") !== "copy" || (to !== "s3" && to !== "disk"))
    throw new Misunderstood("Say hearth blobs copy --to s3, or --to disk.");
  if (!config.s3)
    throw new CannotStart("The setting S3_URL is missing: it names the store to copy to or from.");
  setPriority(lessUrgent);
  const folder = uploadsFolder(config);
  const store = `the S3 store (${config.s3.url})`;
  return to === "s3"
    ? copy(keptOnDisk(folder), await openBlobs(config), store, config)
    : copy(await keptUploads(config), await openFolder(config), folder, config);
}

async function copy(from: KeptBlobs, to: Blobs, where: string, config: Config): Promise<number> {
  const counts: Copied = { copied: 0, bytes: 0, wereThere: 0, damaged: [] };
  // The refusal is for users; its cause is for the operator.
  let trouble: string | undefined;
  to.onTrouble((each) => {
    trouble ??= each?.sentence;
  });
  const telling = setInterval(() => console.log(`${inWords(counts)} so far.`), tellEveryMs);
  let letGo: LetGo = { removed: 0, staying: [] };
  try {
    letGo = await removeLetGo(await copyBlobs(from, to, counts), to, config);
  } catch (error) {
    const why = trouble ?? reason(error);
    throw new CannotStart(
      `It was broken off (${inWords(counts)}): ${why}. The same command goes on from there.`,
    );
  } finally {
    clearInterval(telling);
    to.close();
  }
  const all = counts.copied + counts.wereThere;
  console.log(`${uploadsInWords(all)} in ${where}: ${inWords(counts)}.`);
  if (letGo.removed > 0)
    console.log(`${letGo.removed} of them went with deleted messages meanwhile, and are not there any more.`);
  const troubles: string[] = [];
  const [first] = counts.damaged;
  if (first !== undefined)
    troubles.push(
      `${uploadsInWords(counts.damaged.length)} did not arrive as written, the first is ${first}. Restore from a backup what is damaged.`,
    );
  if (letGo.staying.length > 0)
    troubles.push(
      `${uploadsInWords(letGo.staying.length)} went with deleted messages meanwhile, and the copy cannot be removed. Remove by hand from ${where}: ${letGo.staying.join(", ")}.`,
    );
  if (troubles.length > 0) throw new CannotStart(troubles.join("\n"));
  return 0;
}

/** Copies of files of deleted messages that were removed during the copying. */
interface LetGo {
  removed: number;
  /** Names of copies that cannot be removed. */
  staying: string[];
}

/** Removes copies that no row names any more: a file of a deleted message must not survive as a copy. */
async function removeLetGo(gone: readonly string[], to: Blobs, config: Config): Promise<LetGo> {
  const letGo: LetGo = { removed: 0, staying: [] };
  if (gone.length === 0) return letGo;
  mustExist(config);
  const copies = await copiesOf(engineOf(config));
  const named = await copies.stillNamed(config, gone);
  for (const name of gone) {
    if (named.has(name)) continue;
    const isRemoved = await to.remove(name).catch(() => false);
    if (isRemoved) letGo.removed++;
    else letGo.staying.push(name);
  }
  return letGo;
}

function inWords({ copied, bytes, wereThere }: Copied): string {
  return `${copied} copied and read back, ${(bytes / 1e6).toFixed(1)} MB; ${wereThere} there already`;
}
