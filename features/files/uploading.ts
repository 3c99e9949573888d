// An upload from its first byte to its last: received as a draft, and checked.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { extensionOf, uploadExtensions } from "../../protocol/upload-extensions.ts";
import type { Draft } from "../../server/blobs/blobs.ts";
import { authenticate, unauthenticated } from "../../server/caller/authentication.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { typeOfContent } from "./content.ts";
import type { Attachment } from "./contract.ts";
import { keep, ownerOf, quotaUsed } from "./keeping.ts";
import { type Kind, kindOf } from "./kinds.ts";
import { TooOdd } from "./location/file-bytes.ts";
import { formReader } from "./multipart.ts";
import { checkedName } from "./naming.ts";
import { slotsOf } from "./slots.ts";
import { sumOfUploads } from "./store.ts";

const readForm = formReader();

export async function upload(unit: UnitOfWork, ownerId: string, request: Request): Promise<Attachment> {
  const { house } = unit;
  const slots = slotsOf(house);
  return slots.hold(ownerId, async () => {
    const owner = await ownerOf(house, ownerId);
    if ((await sumOfUploads(house.database.read, owner.personId)) >= limits.uploads_bytes_max)
      throw quotaUsed();
    // Uploads under way may all turn out as large as allowed, and pictures are there twice while a place is cut out.
    if (!(await house.blobs.hasRoomFor(2 * slots.taken * limits.upload_bytes_max))) throw noRoom();
    const draft = await house.blobs.draft();
    try {
      const { name, extension, kind } = await receive(request, draft);
      // The upload may have taken minutes: the session is checked again, as it may have ended meanwhile.
      if (!(await authenticate(house, request.headers))) throw unauthenticated();
      if (!kind.found.includes((await typeOfContent(draft.path)) ?? "")) throw unlike(extension);
      const received = { draft, name, extension, contentType: kind.contentType };
      return await keep(unit, owner, received).catch((error) => {
        throw error instanceof TooOdd ? unlike(extension) : error;
      });
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

function notTaken(): Refusal {
  return new Refusal(
    "unsupported_type",
    `Files of this type are not taken. Taken are ${uploadExtensions.join(", ")}.`,
  );
}

function unlike(extension: string): Refusal {
  return new Refusal(
    "unsupported_type",
    `The content of this file is not what ${extension} files hold. Texts must be UTF-8 without markup.`,
  );
}

function noRoom(): Refusal {
  return new Refusal("unavailable", "There is no room for files at the moment. Tell the operator.");
}
