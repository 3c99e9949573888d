// An upload from its first byte to its last: received as a draft, checked, and stripped of location data.
import { open } from "node:fs/promises";
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { extensionOf, uploadExtensions } from "../../protocol/upload-extensions.ts";
import type { Draft } from "../../server/blobs/blobs.ts";
import { authenticate, unauthenticated } from "../../server/caller/authentication.ts";
import type { RequestFacts } from "../../server/house/feature.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { type Inside, insideOf } from "./content.ts";
import type { Attachment } from "./contract.ts";
import { keep, ownerOf, quotaUsed } from "./keeping.ts";
import { endingFor, isPicture, isTaken, kindOf, storedExtension } from "./kinds.ts";
import { FileBytes, TooOdd } from "./location/file-bytes.ts";
import { withoutPlace } from "./location/removing.ts";
import { mayMove } from "./moving.ts";
import { formReader } from "./multipart.ts";
import { checkedName } from "./naming.ts";
import { slotsOf } from "./slots.ts";
import { sumOfUploads } from "./store.ts";

const readForm = formReader();

export async function upload(
  unit: UnitOfWork,
  ownerId: string,
  { raw: request, carryOut }: RequestFacts,
): Promise<Attachment> {
  const { house } = unit;
  const slots = slotsOf(house);
  return slots.hold(ownerId, async () => {
    const owner = await ownerOf(house, ownerId);
    if ((await sumOfUploads(house.database.read, owner.personId)) >= limits.uploads_bytes_max)
      throw quotaUsed();
    // All uploads under way may be as large as allowed, and a picture is there twice while its location data is
    // removed.
    if (!(await house.blobs.hasRoomFor(2 * slots.taken * limits.upload_bytes_max))) throw noRoom();
    const draft = await house.blobs.draft();
    let bare: Draft | undefined;
    try {
      const { name, extension } = await receive(request, draft);
      // The picture is decoded later, in another process, one per person at a time.
      const received = await carryOut(async () => {
        // The upload and the wait may have taken minutes, and the session may have ended meanwhile.
        if (!(await authenticate(house, request.headers))) throw unauthenticated();
        const inside = await insideOf(draft.path, extension);
        const kind = kindOf(inside, extension);
        if (!kind) throw unlike(inside, extension);
        const { contentType } = kind;
        try {
          bare = await withoutPlace(house.blobs, draft, contentType);
          const animated = isPicture(contentType) && (await moves(bare ?? draft, contentType));
          return { name, extension: storedExtension(kind, extension), contentType, animated };
        } catch (error) {
          throw error instanceof TooOdd ? unreadable(inside) : error;
        }
      });
      return await keep(unit, owner, { ...received, draft: bare ?? draft });
    } finally {
      await bare?.discard();
      await draft.discard();
    }
  });
}

async function moves({ path, size }: Draft, contentType: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    return await mayMove(contentType, new FileBytes(handle, size));
  } finally {
    await handle.close();
  }
}

async function receive(request: Request, draft: Draft) {
  const seen: { file?: { name: string; extension: string } } = {};
  await readForm(request, {
    named(filename) {
      const name = checkedName(filename);
      const extension = extensionOf(name);
      if (!isTaken(extension)) throw notTaken();
      seen.file = { name, extension };
    },
    take: (bytes) => draft.write(bytes),
  });
  // The reader refuses a form without a file.
  if (!seen.file) throw notTaken();
  return seen.file;
}

function notTaken(): Refusal {
  return refused(
    `Files of this type are not taken. Pack it into a zip file, or save it as one of these: ${uploadExtensions.join(", ")}.`,
  );
}

function unlike(inside: Inside, extension: string): Refusal {
  const reason = reasonFor(inside, extension);
  return refused(inside.isEmpty ? reason : `${reason} ${orPackIt}`);
}

/** Refuses a file of the right type that is built as no program writes it. */
function unreadable(inside: Inside): Refusal {
  const what = `It holds a ${endingFor(inside)} file of too many parts, which cannot be read.`;
  return refused(`${what} Open it and save it anew. ${orPackIt}`);
}

const orPackIt = "Or pack it into a zip file.";

function refused(why: string): Refusal {
  return new Refusal("unsupported_type", why);
}

function reasonFor(inside: Inside, extension: string): string {
  const { found, markup, isEmpty } = inside;
  if (markup) return "It holds a web page or other markup. Send it as a picture or a PDF.";
  if (isEmpty) return "It is empty. Download or save it anew.";
  // Windows-1252 decodes almost any bytes, so a text in it is more likely a damaged file.
  if (found === undefined || found === "other text")
    return `It holds no ${extension} file, or a damaged one. Open it and save it anew.`;
  const ending = endingFor(inside);
  return ending
    ? `It holds a ${ending} file, so rename it to end in .${ending}.`
    : `It holds a ${found} file, which is not taken. Save it as another kind.`;
}

function noRoom(): Refusal {
  return new Refusal("unavailable", "There is no room for files at the moment. Tell the operator.");
}
