// The kinds of files that may be uploaded: what may be in them, and which endings of names go with it.
import { textExtensions, type uploadExtensions } from "../../protocol/upload-extensions.ts";
import type { Inside } from "./content.ts";

type Extension = (typeof uploadExtensions)[number];

/** A name and the content behind it may differ within a family: people rename files, phones name them oddly. */
type Family = "picture" | "recording" | "document" | "text";

interface Kind {
  family: Family;
  contentType: string;
  /** The endings of files of this kind, the usual one first. */
  extensions: readonly [Extension, ...Extension[]];
  /** The words of content.ts for the content of such a file. */
  found: readonly string[];
}

const openXml = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";

const film = kind("recording", "video/mp4", ["mp4"], "mp4", "m4v", "m4p", "f4v", "f4p", "3gp", "3g2");
const quickTime = kind("recording", "video/quicktime", ["mov"], "mov");
const sound = kind("recording", "audio/mp4", ["m4a"], "m4a", "m4b", "f4a", "f4b");
const webm = kind("recording", "video/webm", ["webm"], "webm");
const webmSound = kind("recording", "audio/webm", ["webm"]);

// No markup and no programs: opening one of these by mistake runs nothing. Programs are zip files, too (jar, apk), and
// have words of their own.
const kinds: readonly Kind[] = [
  kind("picture", "image/jpeg", ["jpg", "jpeg"], "jpg"),
  kind("picture", "image/png", ["png"], "png", "apng"),
  kind("picture", "image/gif", ["gif"], "gif"),
  kind("picture", "image/webp", ["webp"], "webp"),
  kind("picture", "image/avif", ["avif"], "avif"),
  ...[film, quickTime, sound, webm],
  kind("recording", "audio/mpeg", ["mp3"], "mp3", "mp2", "mp1"),
  kind("recording", "audio/ogg", ["ogg", "oga", "opus"], "ogg", "oga", "opus", "spx"),
  kind("recording", "audio/wav", ["wav"], "wav"),
  kind("recording", "audio/flac", ["flac"], "flac"),
  kind("recording", "audio/aac", ["aac"], "aac"),
  kind("document", "application/pdf", ["pdf"], "pdf"),
  kind("document", `${openXml}.wordprocessingml.document`, ["docx"], "docx"),
  kind("document", `${openXml}.spreadsheetml.sheet`, ["xlsx"], "xlsx"),
  kind("document", `${openXml}.presentationml.presentation`, ["pptx"], "pptx"),
  kind("document", `${openDocument}.text`, ["odt"], "odt"),
  kind("document", `${openDocument}.spreadsheet`, ["ods"], "ods"),
  kind("document", `${openDocument}.presentation`, ["odp"], "odp"),
  kind("document", "application/zip", ["zip"], "zip"),
  kind("document", "application/gzip", ["gz"], "gz", "tar.gz"),
  kind("document", "application/x-tar", ["tar"], "tar"),
  kind("document", "application/x-7z-compressed", ["7z"], "7z"),
  kind("text", "text/plain", ["txt", "log"], "text"),
  kind("text", "text/markdown", ["md"], "text"),
  kind("text", "text/csv", ["csv"], "text"),
  kind("text", "application/json", ["json"], "text"),
  // Nobody can tell how the letters of such a text are to be read, so browsers only save it.
  kind("text", "application/octet-stream", textExtensions, "other text"),
];

function kind(
  family: Family,
  contentType: string,
  extensions: Kind["extensions"],
  ...found: readonly string[]
): Kind {
  return { family, contentType, extensions, found };
}

/** Texts in Markdown often begin with a picture or a title in the middle, for which it has only tags. */
const beginsWithTags: ReadonlySet<string> = new Set(["md"]);

export function isTaken(extension: string): boolean {
  return familyOf(extension) !== undefined;
}

/** The kind of a file with this content; undefined where it may not have this ending, or is not taken under any. */
export function kindOf(inside: Inside, extension: string): Kind | undefined {
  if (inside.markup === "page" || (inside.markup && !beginsWithTags.has(extension))) return undefined;
  const fitting = kinds.filter(({ found }) => found.includes(inside.found ?? ""));
  const named = fitting.find((each) => isOf(each, extension)) ?? fitting[0];
  if (named === undefined || named.family !== familyOf(extension)) return undefined;
  return recordedAs(named, inside.hasFilm, extension);
}

/** The usual ending of a file with this content; undefined where it is not taken under any. */
export function endingFor({ found }: Inside): string | undefined {
  return kinds.find((each) => each.found.includes(found ?? ""))?.extensions[0];
}

/** The ending under which a file of this kind is stored that came under another. */
export function storedExtension(kind: Kind, extension: string): string {
  return isOf(kind, extension) ? extension : kind.extensions[0];
}

/** Whether files of this media type are pictures that can be decoded. */
export function isPicture(contentType: string): boolean {
  return contentType.startsWith("image/");
}

/** Few of them stand still, and those are not told apart: a GIF counts as one that moves. */
export function isGif(contentType: string): boolean {
  return contentType === "image/gif";
}

/** One container holds films and sound. Where it does not say what it holds, its name does. */
function recordedAs(named: Kind, hasFilm: boolean | undefined, extension: string): Kind {
  if (named === webm) return hasFilm === false ? webmSound : webm;
  // A container of sound alone may have a cover or chapters as a picture track, so it is a film only where it is called one.
  if (named === sound)
    return hasFilm && [film, quickTime, webm].some((each) => isOf(each, extension)) ? film : sound;
  if (named !== film && named !== quickTime) return named;
  if (hasFilm === false || (hasFilm === undefined && isOf(sound, extension))) return sound;
  // Players know QuickTime by this name only where it is called so.
  return named === quickTime && isOf(quickTime, extension) ? quickTime : film;
}

function familyOf(extension: string): Family | undefined {
  return kinds.find((each) => isOf(each, extension))?.family;
}

function isOf({ extensions }: Kind, extension: string): boolean {
  return (extensions as readonly string[]).includes(extension);
}
