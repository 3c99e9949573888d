// Stores an upload that was received and checked: the bytes, a preview if it is a large picture, and then the rows that
// make both visible to others.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { Blobs, Draft } from "../../server/blobs/blobs.ts";
import { InDoubt } from "../../server/database/database.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lockUser, selectUser } from "../accounts/access.ts";
import { toAttachment } from "./access.ts";
import type { Attachment } from "./contract.ts";
import { isPicture } from "./kinds.ts";
import { newFilename, previewName } from "./naming.ts";
import { type Inspected, picturesOf } from "./pictures.ts";
import { insertUpload, sumOfUploads, type UploadsTable } from "./store.ts";

const gigabytes = limits.uploads_bytes_max / 1024 ** 3;

interface Owner {
  id: string;
  /** The person whose quota an upload counts for. */
  personId: string;
}

/** A bot's uploads count for its owner, because anybody can make many bots. */
export async function ownerOf({ database }: House, id: string): Promise<Owner> {
  return { id, personId: (await selectUser(database.read, id))?.owner_id ?? id };
}

interface Received {
  draft: Draft;
  name: string;
  extension: string;
  contentType: string;
  animated: boolean;
}

export async function keep(unit: UnitOfWork, owner: Owner, received: Received): Promise<Attachment> {
  const { draft, contentType } = received;
  const inspected = isPicture(contentType)
    ? await picturesOf(unit.house).inspect(owner.personId, draft.path)
    : "no picture";
  return await record(unit, owner, received, inspected);
}

/** Returns the columns of an upload's row about its picture. */
export function pictureColumns(
  inspected: Inspected,
): Pick<UploadsTable, "width" | "height" | "is_inspected"> {
  if (inspected === "not yet") return { width: null, height: null, is_inspected: 0 };
  if (inspected === "no picture") return { width: null, height: null, is_inspected: 1 };
  return { width: inspected.width, height: inspected.height, is_inspected: 1 };
}

/** Returns the row of a picture's preview, which has a stored name of its own. */
export function previewRow({ filename, owner_id, name }: UploadsTable, bytes: Uint8Array): UploadsTable {
  return {
    filename: newFilename("webp"),
    owner_id,
    name: previewName(name),
    size: bytes.byteLength,
    content_type: "image/webp",
    created_at: Date.now(),
    width: null,
    height: null,
    preview_of: filename,
    is_inspected: 1,
    is_animated: 0,
  };
}

export async function keepBytes(blobs: Blobs, filename: string, bytes: Uint8Array): Promise<void> {
  const draft = await blobs.draft();
  try {
    await draft.write(bytes);
    await draft.keep(filename);
  } finally {
    await draft.discard();
  }
}

async function record(
  unit: UnitOfWork,
  owner: Owner,
  { draft, name, extension, contentType, animated }: Received,
  inspected: Inspected,
): Promise<Attachment> {
  const { blobs } = unit.house;
  const row: UploadsTable = {
    filename: newFilename(extension),
    owner_id: owner.id,
    name,
    size: draft.size,
    content_type: contentType,
    created_at: Date.now(),
    ...pictureColumns(inspected),
    is_animated: animated ? 1 : 0,
    preview_of: null,
  };
  const bytes = typeof inspected === "string" ? undefined : inspected.preview;
  const preview = bytes && previewRow(row, bytes);
  try {
    await draft.keep(row.filename);
    if (preview) await keepBytes(blobs, preview.filename, bytes);
    await insert(unit, owner.personId, preview ? [row, preview] : [row]);
  } catch (error) {
    // When the commit is in doubt the rows may exist, so the files stay; a file without a row is swept.
    if (!(error instanceof InDoubt))
      for (const each of [row, preview]) if (each) await blobs.remove(each.filename).catch(() => {});
    throw error;
  }
  return toAttachment({ ...row, preview: preview?.filename ?? null });
}

async function insert(unit: UnitOfWork, personId: string, rows: readonly UploadsTable[]): Promise<void> {
  const size = rows.reduce((sum, row) => sum + row.size, 0);
  await unit.write(async (write) => {
    // The lock serialises the uploads of a person and their bots, so that several at once cannot exceed the quota.
    await lockUser(write, personId);
    if ((await sumOfUploads(write.db, personId)) + size > limits.uploads_bytes_max) throw quotaUsed();
    for (const row of rows) await insertUpload(write.db, personId, row);
  });
}

export function quotaUsed(): Refusal {
  return new Refusal(
    "too_large",
    `The uploads of a person and their bots may have ${gigabytes} GiB together, and this one does not fit.`,
  );
}
