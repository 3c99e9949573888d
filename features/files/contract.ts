// Files: uploading and downloading them.
import { z } from "zod";
import { operation } from "../../protocol/operation.ts";

const side = z
  .int()
  .nullable()
  .meta({ description: "Of a picture, as it is shown, in pixels; null where it is none that could be read" });

/** An upload as messages carry it; `size` in bytes. */
export const attachment = z
  .object({
    url: z.string(),
    name: z.string(),
    size: z.int(),
    content_type: z.string(),
    width: side,
    height: side,
    preview_url: z.string().nullable().meta({
      description:
        "A smaller version of a picture, in WebP; null for one that is small enough, and for all other files",
    }),
    animated: z.boolean().meta({
      description: "Whether it is a picture that may move: a GIF, or a WebP, PNG or AVIF of several images",
    }),
  })
  .meta({ id: "Attachment" });

export type Attachment = z.infer<typeof attachment>;

/** The name of a stored file: 128 random bits and its extension. */
const stored = "[0-9a-f]{32}\\.[a-z0-9]{1,5}";
const filename = z.string().regex(new RegExp(`^${stored}$`));

/** The pattern of an upload's `url`, for the API description. */
export const uploadPattern = `^/files/${stored}$`;

export const uploadFile = operation({
  name: "uploadFile",
  method: "POST",
  path: "/upload",
  summary:
    "Upload a file as a form with one file part; its url can be attached to messages. Location data is taken out of pictures",
  caller: "account",
  lane: "own",
  cost: { worst: 3 },
  consumes: "multipart/form-data",
  answers: { 201: { description: "The file as messages carry it", body: attachment } },
  errors: ["invalid_request", "too_large", "unsupported_type", "unavailable"],
});

const fileHeaders = {
  "Content-Disposition": z.string().meta({ description: "attachment, with the name that its owner gave it" }),
  ETag: z.string().meta({ description: "For If-None-Match and If-Range" }),
};
const partHeaders = {
  ...fileHeaders,
  "Content-Range": z.string().meta({ description: "Which bytes these are, and of how many" }),
};

export const getFile = operation({
  name: "getFile",
  method: "GET",
  path: "/files/{filename}",
  summary: "An uploaded file, as an attachment; also in part (Range)",
  caller: "account",
  lane: "read",
  atRoot: true,
  // Each file is sent with its own media type.
  produces: "*/*",
  params: z.object({ filename }),
  answers: {
    200: { description: "The file", headers: fileHeaders },
    206: { description: "The part of the file that was asked for", headers: partHeaders },
    304: { description: "The caller has it already" },
  },
  errors: ["range_not_satisfiable"],
});
