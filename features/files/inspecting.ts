// Looks at a picture that is kept already: its size, and a preview where it is large. Its bytes stay as they are.
import { piecesOf } from "../../server/blobs/blobs.ts";
import type { House } from "../../server/house/house.ts";
import { lockUser } from "../accounts/access.ts";
import { keepBytes, ownerOf, pictureColumns, previewRow } from "./keeping.ts";
import { type Inspected, picturesOf } from "./pictures.ts";
import { insertUpload, type UploadsTable, updateInspected } from "./store.ts";

/** Returns whether the picture had its turn. */
export async function inspectUpload(house: House, row: UploadsTable): Promise<boolean> {
  const { personId } = await ownerOf(house, row.owner_id);
  const inspected = await inspectKept(house, personId, row.filename);
  if (inspected === "not yet") return false;
  const bytes = inspected === "no picture" ? undefined : inspected.preview;
  const preview = bytes && previewRow(row, bytes);
  // A file whose row does not come is swept.
  if (preview) await keepBytes(house.blobs, preview.filename, bytes);
  await house.write(async (unit) => {
    await lockUser(unit, personId);
    const isFirst = await updateInspected(unit.db, row.filename, pictureColumns(inspected));
    if (isFirst && preview) await insertUpload(unit.db, personId, preview);
  });
  return true;
}

/** Decodes a copy: where kept files lie is the store's business. */
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
