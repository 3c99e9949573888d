// An upload from its first byte to its row: received as a draft, checked, kept on disk, then recorded.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import type { Draft } from "../../server/blobs/blobs.ts";
import { authenticate, unauthenticated } from "../../server/caller/authentication.ts";
import { InDoubt } from "../../server/database/database.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
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

export async function upload(unit: UnitOfWork, ownerId: string, request: Request): Promise<Attachment> {
  const { house } = unit;
  const slots = slotsOf(house);
  return slots.hold(ownerId, async () => {
    const personId = await whoAnswersFor(house, ownerId);
    if ((await sumOfUploads(house.database.read, personId)) >= limits.uploads_bytes_max) throw quotaUsed();
    // Uploads under way may all turn out as large as allowed.
    if (!(await house.blobs.hasRoomFor(slots.taken * limits.upload_bytes_max))) throw noRoom();
    const draft = await house.blobs.draft();
    try {
      const { name, extension, kind } = await receive(request, draft);
      // The upload may have taken minutes: the session is checked again, as it may have ended meanwhile.
      if (!(await authenticate(house, request.headers))) throw unauthenticated();
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

/** The person whose quota an upload counts for: a bot's owner for the bot, because anybody can make many bots. */
async function whoAnswersFor(house: House, ownerId: string): Promise<string> {
  return (await selectUser(house.database.read, ownerId))?.owner_id ?? ownerId;
}

/** Inserts the row that makes the file exist for others. */
async function remember(unit: UnitOfWork, personId: string, row: UploadsTable): Promise<void> {
  try {
    await unit.write(async (write) => {
      // Uploads of a person and their bots take turns, so that several at once cannot exceed the quota.
      await lockUser(write, personId);
      if ((await sumOfUploads(write.db, personId)) + row.size > limits.uploads_bytes_max) throw quotaUsed();
      await insertUpload(write.db, personId, row);
    });
  } catch (error) {
    // When the commit is in doubt the row may exist, so the file stays; a file without a row is swept.
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
