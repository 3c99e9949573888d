// Uploads for other features: attachments, and the messages that use a file.
import { invalidField } from "../../protocol/errors.ts";
import { question } from "../../server/house/question.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import type { Attachment } from "./contract.ts";
import { isGif, isPicture } from "./kinds.ts";
import { avatarFilename, isAvatarFile } from "./naming.ts";
import { type AvatarSide, avatarSides } from "./picture-limits.ts";
import { insertAvatarFiles, selectUploads, selectUploadsOf, type Upload } from "./store.ts";
import {
  deleteUses,
  insertMissingUses,
  insertUses,
  releaseAt,
  releaseNotBefore,
  releaseUnlessDue,
} from "./uses.ts";

/** Announces that sizes and previews of pictures have become known. */
export const picturesFound = question<[], void>("files.picturesFound");

export { isGif } from "./kinds.ts";
/** Asks whether the files of every message are recorded. */
export const usesNoted = question<[], boolean>("files.usesNoted");

export { selectKnown, selectSizes } from "./store.ts";

/** How long a file stays after the last message that had it, and a replaced own picture, in milliseconds. */
export const releasedMs = 24 * 3600_000;

/** A message and the URL of a file attached to it. */
export interface Use {
  url: string;
  messageId: string;
}

/** Records the files of a new message, in its commit. */
export function noteUses(unit: UnitOfWork, uses: readonly Use[]): void {
  insertUses(unit, uses.map(toRow));
}

/** Records the files of existing messages. */
export async function noteEarlierUses(unit: UnitOfWork, uses: readonly Use[]): Promise<void> {
  if (uses.length > 0) await insertMissingUses(unit.db, uses.map(toRow));
}

/**
 * Releases the files of messages deleted at `deletedAt`: they are removed if no other message has them a day after
 * that. A channel may be swept long after it was deleted, and another message with the file may have gone since.
 */
export function endUses(unit: UnitOfWork, uses: readonly Use[], deletedAt: number): Promise<void> {
  return end(unit, uses, deletedAt, releaseNotBefore);
}

/** Releases the files of messages that only the log knows: a day from now, unless they are due earlier. */
export function endLoggedUses(unit: UnitOfWork, uses: readonly Use[]): Promise<void> {
  return end(unit, uses, Date.now(), releaseUnlessDue);
}

async function end(
  { db }: UnitOfWork,
  uses: readonly Use[],
  deletedAt: number,
  release: typeof releaseNotBefore,
): Promise<void> {
  if (uses.length === 0) return;
  const rows = uses.map(toRow);
  await deleteUses(db, rows);
  await release(
    db,
    rows.map(({ filename }) => filename),
    deletedAt + releasedMs,
  );
}

/** Records the stored files of an own picture: they are in backups, and count for nobody's quota. */
export function recordAvatar(
  unit: UnitOfWork,
  ownerId: string,
  name: string,
  sizes: ReadonlyMap<AvatarSide, number>,
): Promise<void> {
  const rows = Array.from(sizes, ([side, size]) => ({
    filename: avatarFilename(name, side),
    owner_id: ownerId,
    name: `picture-${side}.webp`,
    size,
    content_type: "image/webp",
    created_at: Date.now(),
    width: side,
    height: side,
    preview_of: null,
    is_inspected: 1 as const,
    is_animated: 0 as const,
  }));
  return insertAvatarFiles(unit.db, rows);
}

/** Releases the files of an own picture that was replaced or taken away: a day from now they are removed. */
export function releaseAvatar(unit: UnitOfWork, name: string): Promise<void> {
  const filenames = avatarSides.map((side) => avatarFilename(name, side));
  return releaseAt(unit.db, filenames, Date.now() + releasedMs);
}

function toRow({ url, messageId }: Use) {
  return { filename: filenameIn(url), message_id: messageId };
}

const filesPath = "/files/";

/** Returns the attachments with these URLs. Throws invalid_request unless each is an upload of this person. */
export async function ownUploads(
  unit: UnitOfWork,
  ownerId: string,
  urls: readonly string[],
): Promise<Attachment[]> {
  if (urls.length === 0) return [];
  const filenames = urls.map(filenameIn);
  const rows = await selectUploadsOf(unit.db, ownerId, filenames);
  const attachable = rows.filter(({ filename }) => !isAvatarFile(filename));
  const known = new Map(attachable.map((row) => [row.filename, row]));
  return filenames.map((filename, i) => {
    const row = known.get(filename);
    if (!row) throw invalidField(`attachments.${i}`, "is not an upload of yours");
    return toAttachment(row);
  });
}

/**
 * Returns the current attachments, by URL, for stored ones of pictures without a size: these had not been inspected
 * then, or cannot be decoded.
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
  const animated = upload.is_animated === 1 || isGif(content_type);
  return { url: filesPath + filename, name, size, content_type, width, height, preview_url, animated };
}

function filenameIn(url: string): string {
  return url.startsWith(filesPath) ? url.slice(filesPath.length) : "";
}
