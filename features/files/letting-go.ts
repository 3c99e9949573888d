// The job that removes files a day after the last message that had them; a file that no message had stays.
import { Refusal } from "../../protocol/errors.ts";
import type { Job } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { lockUser } from "../accounts/access.ts";
import { releasedMs, usesNoted } from "./access.ts";
import { ownerOf } from "./keeping.ts";
import { deleteUpload, lockUpload, selectPreview, selectUpload } from "./store.ts";
import {
  bringForward,
  deleteReleases,
  isUsed,
  lockIfDue,
  postponeReleases,
  releaseAt,
  selectDueBytes,
  selectDueUploads,
} from "./uses.ts";

const filesAtOnce = 20;
/** How long after a failure the removal of bytes is retried, in milliseconds. */
const againMs = 600_000;

/**
 * Deletes the rows of a file and its preview first, and the bytes after that commit: after a crash in between, or while
 * the store is unavailable, a later run removes them. An unavailable store keeps no row alive, and a file that cannot
 * be removed delays no other.
 */
export const letFilesGo: Job = {
  name: "remove the files of deleted messages",
  everyMs: 10_000,
  deletesByAge: true,
  async run(house) {
    const now = Date.now();
    if (house.clock.isBelieved) await bringForward(house, now + releasedMs);
    const rows = await dueUploads(house, now);
    for (const filename of rows) await house.write((unit) => forgetUpload(unit, filename, now));
    const bytes = await selectDueBytes(house.database.read, now, 2 * filesAtOnce);
    const areGone = await removeBytes(house, bytes);
    return areGone && Math.max(rows.length, bytes.length) >= filesAtOnce;
  },
};

/** Returns due uploads, but none before the files of every message are recorded. */
async function dueUploads(house: House, now: number): Promise<string[]> {
  const due = await selectDueUploads(house.database.read, now, filesAtOnce);
  if (due.length === 0) return due;
  const noted = await house.read((unit) => unit.ask(usesNoted));
  return noted.includes(false) ? [] : due;
}

/**
 * Deletes a due file, unless a message has it again; if its last message was deleted since it was found due, it has a
 * day more.
 */
async function forgetUpload(unit: UnitOfWork, filename: string, now: number): Promise<void> {
  const row = await selectUpload(unit.db, filename);
  if (!row) return;
  const { personId } = await ownerOf(unit.house, row.owner_id);
  await lockUser(unit, personId);
  await lockUpload(unit, filename);
  if (!(await lockIfDue(unit, filename, now))) return;
  if (await isUsed(unit.db, filename)) {
    await deleteReleases(unit.db, [filename]);
    return;
  }
  const preview = await selectPreview(unit.db, filename);
  const rows = preview ? [row, preview] : [row];
  const names = rows.map((each) => each.filename);
  // Recorded before the rows go, because only existing uploads can be released.
  await releaseAt(unit.db, names, now);
  await deleteUpload(unit.db, personId, rows);
}

/** Returns false while the store takes no removals, which has been logged. */
async function removeBytes(house: House, filenames: readonly string[]): Promise<boolean> {
  const gone: string[] = [];
  const stuck: string[] = [];
  try {
    for (const filename of filenames) ((await removeFile(house, filename)) ? gone : stuck).push(filename);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "unavailable")) throw error;
  } finally {
    if (gone.length > 0) await house.write(({ db }) => deleteReleases(db, gone));
    if (stuck.length > 0) await house.write(({ db }) => postponeReleases(db, stuck, Date.now() + againMs));
  }
  return gone.length + stuck.length === filenames.length;
}

/** Returns false for a file that cannot be removed. Throws unavailable when none can. */
async function removeFile(house: House, filename: string): Promise<boolean> {
  try {
    if (!(await house.blobs.remove(filename)))
      house.log.info({ file: filename }, "a deleted message's file stays: another Hearth put it there");
    return true;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    house.log.warn({ file: filename, err: error }, "a deleted message's file cannot be removed yet");
    return false;
  }
}
