// An upload from its first byte to its row: received into a draft, looked into, kept on disk, then known.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { Draft } from "../../server/blobs/blobs.ts";
import { callerOf, unauthenticated } from "../../server/caller/authentication.ts";
import { InDoubt } from "../../server/database/database.ts";
import type { House } from "../../server/house/house.ts";
import type { Unit } from "../../server/house/unit.ts";
import { lockUser, selectUser } from "../accounts/access.ts";
import { filesPath } from "./access.ts";
import { typeOfContent } from "./content.ts";
import type { Attachment } from "./contract.ts";
import { extensionOf, extensions, type Kind, kindOf } from "./kinds.ts";
import { formReader } from "./multipart.ts";
import { checkedName, newFilename } from "./naming.ts";
import { slotsOf } from "./slots.ts";
import { insertUpload, sumOfUploads, type UploadsTable } from "./store.ts";

const readForm = formReader();
const gigabytes = limits.uploads_bytes_max / 1024 ** 3;

export async function upload(unit: Unit, ownerId: string, request: Request): Promise<Attachment> {
  const { house } = unit;
  const slots = slotsOf(house);
  return slots.hold(ownerId, async () => {
    const personId = await whoAnswersFor(house, ownerId);
    if ((await sumOfUploads(house.database.read, personId)) >= limits.uploads_bytes_max) throw quotaUsed();
    // Of those under way nobody knows yet how large they will be.
    if (!(await house.blobs.hasRoomFor(slots.taken * limits.upload_bytes_max))) throw noRoom();
    const draft = await house.blobs.draft();
    try {
      const { name, extension, kind } = await receive(request, draft);
      // That took as long as it took: they may have been signed out meanwhile.
      if (!(await callerOf(house, request.headers))) throw unauthenticated();
      if (!kind.found.includes((await typeOfContent(draft.path)) ?? "")) throw unlike(extension);
      const filename = newFilename(extension);
      await draft.keep(filename);
      const found = { name, size: draft.size, content_type: kind.contentType };
      await remember(unit, personId, { filename, owner_id: ownerId, ...found, created_at: Date.now() });
      return { url: filesPath + filename, ...found };
    } finally {
      await draft.discard();
    }
  });
}

async function receive(request: Request, draft: Draft) {
  const seen: { file?: { name: string; extension: string; kind: Kind } } = {};
  await readForm(request, {
    named(filename) {
      const name = checkedName(filename);
      const extension = extensionOf(name);
      const kind = kindOf(extension);
      if (!kind) throw notTaken();
      seen.file = { name, extension, kind };
    },
    take: (bytes) => draft.write(bytes),
  });
  // The reader refuses a form without a file.
  if (!seen.file) throw notTaken();
  return seen.file;
}

/** The one whose quota it counts for: of a bot the person who made it, as bots are had for the asking. */
async function whoAnswersFor(house: House, ownerId: string): Promise<string> {
  return (await selectUser(house.database.read, ownerId))?.owner_id ?? ownerId;
}

/** The row makes the file one that is there; without it nobody will ever ask for it. */
async function remember(unit: Unit, personId: string, row: UploadsTable): Promise<void> {
  try {
    await unit.write(async (write) => {
      // One upload of a person and their bots after the other: several at once must not have more than there is.
      await lockUser(write, personId);
      if ((await sumOfUploads(write.db, personId)) + row.size > limits.uploads_bytes_max) throw quotaUsed();
      await insertUpload(write.db, personId, row);
    });
  } catch (error) {
    // Where only the log can tell, the row may be there; a file without one is swept.
    if (!(error instanceof InDoubt)) await unit.house.blobs.remove(row.filename);
    throw error;
  }
}

function notTaken(): Refusal {
  return new Refusal(
    "unsupported_type",
    `Files of this type are not taken. Taken are ${extensions.join(", ")}.`,
  );
}

function unlike(extension: string): Refusal {
  return new Refusal(
    "unsupported_type",
    `The content of this file is not what ${extension} files hold. Texts must be UTF-8 without markup.`,
  );
}

function quotaUsed(): Refusal {
  return new Refusal(
    "too_large",
    `The uploads of a person and their bots may have ${gigabytes} GiB together, and this one does not fit.`,
  );
}

function noRoom(): Refusal {
  return new Refusal("unavailable", "There is no room for files at the moment. Tell the operator.");
}
