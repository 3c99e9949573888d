// The doctor's look at the store for uploads.
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, reason } from "../../server/house/check.ts";

/** Whether the store does all that it is for; undefined where uploads are kept on the disk. */
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
