// What other features may ask about uploads.
import { invalidField } from "../../protocol/errors.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Attachment } from "./contract.ts";
import { selectUploadsOf } from "./store.ts";

export { selectSizes } from "./store.ts";

export const filesPath = "/files/";

/** The attachments that these addresses name. Throws invalid_request unless each is an upload of this person. */
export async function ownUploads(
  unit: UnitOfWork,
  ownerId: string,
  urls: readonly string[],
): Promise<Attachment[]> {
  if (urls.length === 0) return [];
  const filenames = urls.map((url) => (url.startsWith(filesPath) ? url.slice(filesPath.length) : ""));
  const rows = await selectUploadsOf(unit.db, ownerId, filenames);
  const known = new Map(rows.map((row) => [row.filename, row]));
  return filenames.map((filename, i) => {
    const row = known.get(filename);
    if (!row) throw invalidField(`attachments.${i}`, "is not an upload of yours");
    return { url: filesPath + filename, name: row.name, size: row.size, content_type: row.content_type };
  });
}
