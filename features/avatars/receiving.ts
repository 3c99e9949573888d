// Receives a picture that somebody puts up, and draws its square in all sizes.
import { open } from "node:fs/promises";
import { invalidField, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { rasterFormatOf } from "../../protocol/raster.ts";
import type { Draft } from "../../server/blobs/blobs.ts";
import { authenticate, unauthenticated } from "../../server/caller/authentication.ts";
import type { RequestFacts } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import type { Drawn } from "../files/decoding.ts";
import { formReader } from "../files/multipart.ts";
import { picturesOf } from "../files/pictures.ts";
import { slotsOf } from "../files/slots.ts";
import type { Square } from "../files/squares.ts";

const readForm = formReader(undefined, limits.avatar_bytes_max);
/** Bytes at the beginning of a file by which its format is known. */
const headBytes = 256;
const least = limits.avatar_side_min;

/** Returns the files of the picture in the request, in the order of `avatarSides`. */
export function receivePicture(
  house: House,
  personId: string,
  { raw: request, carryOut }: RequestFacts,
): Promise<Drawn["files"]> {
  const slots = slotsOf(house);
  return slots.hold(personId, async () => {
    if (!(await house.blobs.hasRoomFor(2 * slots.taken * limits.upload_bytes_max))) throw noRoom();
    const draft = await house.blobs.draft();
    try {
      const square = await receive(request, draft);
      return await carryOut(async () => {
        // The upload and the wait may have taken minutes, and the session may have ended meanwhile.
        if (!(await authenticate(house, request.headers))) throw unauthenticated();
        if (!rasterFormatOf(await headOf(draft))) throw notTaken();
        const drawn = await picturesOf(house).draw(personId, draft.path, square);
        if (request.signal.aborted) throw givenUp();
        return filesOf(drawn);
      });
    } finally {
      await draft.discard();
    }
  });
}

/** Writes the file of the form into the draft, and returns the square that the fields beside it name. */
async function receive(request: Request, draft: Draft): Promise<Square | undefined> {
  const fields = new Map<string, string>();
  await readForm(request, {
    named: () => {},
    take: (bytes) => draft.write(bytes),
    field: (name, value) => fields.set(name, value),
  });
  return squareIn(fields);
}

const names = ["x", "y", "size"] as const;

function squareIn(fields: ReadonlyMap<string, string>): Square | undefined {
  if (!names.some((name) => fields.has(name))) return undefined;
  const [x = 0, y = 0, size = 0] = names.map((name) => numberIn(name, fields.get(name)));
  return { x, y, size };
}

function numberIn(name: string, text: string | undefined): number {
  if (text === undefined) throw invalidField(name, "is missing: x, y and size come together");
  if (!/^[0-9]{1,9}$/.test(text)) throw invalidField(name, "must be a whole number of pixels");
  return Number(text);
}

async function headOf({ path }: Draft): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function filesOf(drawn: Drawn | "no picture" | "not yet"): Drawn["files"] {
  if (drawn === "not yet") throw busy();
  if (drawn === "no picture")
    throw invalidField(
      "file",
      "cannot be read as a picture of at most 100 megapixels, or takes too much memory. Save it anew as a smaller JPEG",
    );
  const { width, height, files } = drawn;
  if (Math.min(width, height) < least)
    throw invalidField("file", `must have at least ${least} pixels a side, and has ${width} × ${height}`);
  if (files.length === 0)
    throw invalidField("size", `makes a square that is not inside the picture of ${width} × ${height}`);
  return files;
}

function notTaken(): Refusal {
  return new Refusal(
    "unsupported_type",
    "This is no picture that is taken. Save it as JPEG, PNG, GIF, WebP or AVIF.",
  );
}

function givenUp(): Refusal {
  return new Refusal("invalid_request", "The request was given up before the picture was drawn.");
}

function busy(): Refusal {
  const sentence = "Too many pictures are being drawn at the moment. Try again shortly.";
  return new Refusal("unavailable", sentence, { retryAfter: 5 });
}

function noRoom(): Refusal {
  return new Refusal("unavailable", "There is no room for files at the moment. Tell the operator.");
}
