// What other features may ask about uploads.
import { invalidField } from "../../protocol/errors.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Attachment } from "./contract.ts";
import { isPicture } from "./kinds.ts";
import { selectUploads, selectUploadsOf, type Upload } from "./store.ts";

/** Tells that the sizes and previews of pictures are known that were not before. */
export const picturesFound = question<[], void>("files.picturesFound");

export { selectSizes } from "./store.ts";

export const filesPath = "/files/";

/** The attachments that these addresses name. Throws invalid_request unless each is an upload of this person. */
export async function ownUploads(
  unit: UnitOfWork,
  ownerId: string,
  urls: readonly string[],
): Promise<Attachment[]> {
  if (urls.length === 0) return [];
  const filenames = urls.map(filenameIn);
  const rows = await selectUploadsOf(unit.db, ownerId, filenames);
  const known = new Map(rows.map((row) => [row.filename, row]));
  return filenames.map((filename, i) => {
    const row = known.get(filename);
    if (!row) throw invalidField(`attachments.${i}`, "is not an upload of yours");
    return toAttachment(row);
  });
}

/**
 * Returns what is known today of attachments that were stored earlier, by address: of pictures without a size, which had
 * not been looked at then, or cannot be decoded.
 */
export async function foundSince(
  unit: UnitOfWork,
  stored: readonly Attachment[],
): Promise<ReadonlyMap<string, Attachment>> {
  const unseen = stored.filter((each) => each.width === null && isPicture(each.content_type));
  if (unseen.length === 0) return new Map();
  const rows = await selectUploads(unit.db, [...new Set(unseen.map(({ url }) => filenameIn(url)))]);
  return new Map(rows.map((row) => [filesPath + row.filename, toAttachment(row)]));
}

export function toAttachment(upload: Upload): Attachment {
  const { filename, name, size, content_type, width, height, preview } = upload;
  const preview_url = preview === null ? null : filesPath + preview;
  return { url: filesPath + filename, name, size, content_type, width, height, preview_url };
}

function filenameIn(url: string): string {
  return url.startsWith(filesPath) ? url.slice(filesPath.length) : "";
}
