// Operations on files.
import { notFound } from "../../protocol/errors.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { Content, isKnown, notModified, Reply } from "../../server/house/reply.ts";
import { storedBytes } from "../storage/access.ts";
import { inspectBacklog } from "./backlog.ts";
import * as contract from "./contract.ts";
import { checkPreviews, checkStore } from "./doctor.ts";
import { letFilesGo } from "./letting-go.ts";
import { asAttachment } from "./naming.ts";
import { picturesOf } from "./pictures.ts";
import { spanOf } from "./ranges.ts";
import { fileMigrations, selectUpload, sumOfAllUploads } from "./store.ts";
import { stopSweep, sweepFiles } from "./sweeping.ts";
import { usesMigrations } from "./uses.ts";

export const files: Feature = {
  name: "files",
  migrations: (engine) => ({ ...fileMigrations(engine), ...usesMigrations(engine) }),
  operations: [
    handle(contract.uploadFile, async ({ caller, request, unit }) => {
      const { upload } = await import("./uploading.ts");
      return upload(unit, caller.userId, request);
    }),

    handle(contract.getFile, async ({ params: { filename }, request: { raw }, unit }) => {
      const row = await selectUpload(unit.db, filename);
      const blob = row && (await unit.house.blobs.find(filename));
      if (!blob) throw notFound();
      // A stored name is used only once, and its file never changes.
      const etag = `"${filename}"`;
      const headers = {
        ETag: etag,
        "Accept-Ranges": "bytes",
        "Cache-Control": "private, max-age=31536000, immutable",
        "Content-Disposition": asAttachment(row.name),
        // A file opened as a page can run nothing.
        "Content-Security-Policy": "sandbox",
      };
      if (isKnown(raw.headers, etag)) return notModified(headers);
      const type = row.content_type.startsWith("text/")
        ? `${row.content_type}; charset=utf-8`
        : row.content_type;
      const span = spanOf(raw.headers, etag, blob.size);
      if (!span) return new Reply(new Content(blob.bytes(), type), 200, headers);
      const { first, last } = span;
      return new Reply(new Content(blob.bytes(first, last), type), 206, {
        ...headers,
        "Content-Range": `bytes ${first}-${last}/${blob.size}`,
      });
    }),
  ],
  jobs: [
    { name: "remove files without an upload", everyMs: 6 * 3600_000, deletesByAge: true, run: sweepFiles },
    inspectBacklog,
    letFilesGo,
  ],
  checks: [
    { about: "S3 store", look: checkStore },
    // Only two pictures are decoded at once, so this runs in the doctor alone, not for an admin who opens the health
    // page.
    { about: "previews", look: async () => undefined, lookCloser: () => checkPreviews() },
  ],
  answers: [
    whenAsked(storedBytes, async (unit) => {
      const { bytes, count } = await sumOfAllUploads(unit.db);
      return { uploads_bytes: bytes, uploads_count: count };
    }),
  ],
  close(house) {
    stopSweep(house);
    picturesOf(house).close();
  },
};
