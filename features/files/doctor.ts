// The doctor's checks of the upload store and of the decoder of pictures.
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, reason } from "../../server/house/check.ts";
import { pictureFile } from "../../server/own-files.ts";

/** Checks that the store supports all operations that it is used for; undefined while uploads are kept on the disk. */
export async function checkStore({ s3 }: Config): Promise<Finding | undefined> {
  if (!s3) return undefined;
  const about = "S3 store";
  try {
    const { S3Objects } = await import("../../server/blobs/s3-objects.ts");
    await new S3Objects(s3).tryAll();
    return finding(about, "ok", `It takes uploads and gives them back (${s3.url}).`);
  } catch (error) {
    return finding(about, "wrong", `Uploads cannot be kept (S3_URL): ${reason(error)}.`);
  }
}

/** A GIF of one pixel. */
const smallest = "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==";
const off = "Pictures are kept without their size and without previews";

/** Checks that pictures can be decoded, by decoding one. */
export async function checkPreviews(program = pictureFile()): Promise<Finding> {
  const about = "previews";
  if (!existsSync(program)) {
    const mend = `lay the folder that npm run build makes beside the executable at ${dirname(program)}`;
    return finding(about, "note", `${off}: ${mend}.`);
  }
  const folder = await mkdtemp(join(tmpdir(), "hearth-doctor-"));
  try {
    const { decode } = await import("./decoding.ts");
    const path = join(folder, "smallest.gif");
    await writeFile(path, Buffer.from(smallest, "base64"));
    const { picture, trouble } = await decode(path, new AbortController().signal, program);
    if (picture) return finding(about, "ok", "Pictures are decoded.");
    const why = trouble === undefined ? "the smallest cannot be decoded" : reason(new Error(trouble));
    return finding(about, "wrong", `${off}: ${why}. Run npm ci on this machine, or copy what it built anew.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
