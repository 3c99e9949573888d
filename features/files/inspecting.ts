// Inspects a stored picture: finds its size, and makes a preview if it is large. Its bytes stay as they are.
import { piecesOf } from "../../server/blobs/blobs.ts";
import type { House } from "../../server/house/house.ts";
import { lockUser } from "../accounts/access.ts";
import { keepBytes, ownerOf, pictureColumns, previewRow } from "./keeping.ts";
import { type Inspected, picturesOf } from "./pictures.ts";
import { insertUpload, type UploadsTable, updateInspected } from "./store.ts";

/** Returns false when the picture's turn did not come in time. */
export async function inspectUpload(house: House, row: UploadsTable): Promise<boolean> {
  const { personId } = await ownerOf(house, row.owner_id);
  const inspected = await inspectKept(house, personId, row.filename);
  if (inspected === "not yet") return false;
  const bytes = inspected === "no picture" ? undefined : inspected.preview;
  const preview = bytes && previewRow(row, bytes);
  // A file that never gets its row is swept.
  if (preview) await keepBytes(house.blobs, preview.filename, bytes);
  await house.write(async (unit) => {
    await lockUser(unit, personId);
    const isFirst = await updateInspected(unit.db, row.filename, pictureColumns(inspected));
    if (isFirst && preview) await insertUpload(unit.db, personId, preview);
  });
  return true;
}

/** Decodes a copy, as only the store knows where files are kept. */
async function inspectKept(house: House, personId: string, filename: string): Promise<Inspected> {
  const blob = await house.blobs.find(filename);
  if (!blob) return "no picture";
  const copy = await house.blobs.draft();
  try {
    for await (const bytes of piecesOf(blob.bytes())) await copy.write(bytes);
    return await picturesOf(house).inspect(personId, copy.path);
  } finally {
    await copy.discard();
  }
}
