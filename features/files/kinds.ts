// The kinds of files that may be uploaded: extension, media type, and what the content must look like.
import type { uploadExtensions } from "../../protocol/upload-extensions.ts";

export interface Kind {
  contentType: string;
  /** Types that the content may have, in the words of file-type; `text` is plain text in UTF-8. */
  found: readonly string[];
}

function kind(contentType: string, ...found: string[]): Kind {
  return { contentType, found };
}

const jpeg = kind("image/jpeg", "jpg");
const ogg = kind("audio/ogg", "ogg", "oga", "opus", "spx");
const openXml = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";
const documents = ["docx", "xlsx", "pptx", "odt", "ods", "odp"];

// No markup and no programs: opening one of these by mistake runs nothing.
const kinds: Readonly<Record<(typeof uploadExtensions)[number], Kind>> = {
  jpg: jpeg,
  jpeg,
  png: kind("image/png", "png", "apng"),
  gif: kind("image/gif", "gif"),
  webp: kind("image/webp", "webp"),
  avif: kind("image/avif", "avif"),
  mp4: kind("video/mp4", "mp4", "m4v"),
  webm: kind("video/webm", "webm"),
  mov: kind("video/quicktime", "mov"),
  mp3: kind("audio/mpeg", "mp3"),
  ogg,
  oga: ogg,
  opus: kind("audio/ogg", "opus"),
  wav: kind("audio/wav", "wav"),
  flac: kind("audio/flac", "flac"),
  m4a: kind("audio/mp4", "m4a", "mp4"),
  aac: kind("audio/aac", "aac"),
  txt: kind("text/plain", "text"),
  log: kind("text/plain", "text"),
  md: kind("text/markdown", "text"),
  csv: kind("text/csv", "text"),
  json: kind("application/json", "text"),
  pdf: kind("application/pdf", "pdf"),
  docx: kind(`${openXml}.wordprocessingml.document`, "docx"),
  xlsx: kind(`${openXml}.spreadsheetml.sheet`, "xlsx"),
  pptx: kind(`${openXml}.presentationml.presentation`, "pptx"),
  odt: kind(`${openDocument}.text`, "odt"),
  ods: kind(`${openDocument}.spreadsheet`, "ods"),
  odp: kind(`${openDocument}.presentation`, "odp"),
  // file-type may find a document in a zip file. Programs are zip files, too (jar, apk), and are left out.
  zip: kind("application/zip", "zip", ...documents),
  gz: kind("application/gzip", "gz", "tar.gz"),
  tar: kind("application/x-tar", "tar"),
  "7z": kind("application/x-7z-compressed", "7z"),
};

export function kindOf(extension: string): Kind | undefined {
  return Object.hasOwn(kinds, extension) ? kinds[extension as keyof typeof kinds] : undefined;
}

/** Whether files of this media type are pictures that can be decoded. */
export function isPicture(contentType: string): boolean {
  return contentType.startsWith("image/");
}
